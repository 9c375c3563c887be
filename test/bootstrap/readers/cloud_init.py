"""Runs user data through cloud-init as a Linux machine of Azure would.

Reads a JSON list of {"text", "computerName"} from standard input and writes {"version", "results"}, for each item
what cloud-init did: its jinja, the check of its schema, its modules write_files and runcmd. Files land in a folder,
and the script of runcmd is read by a shell, but not run.
"""

import base64
import contextlib
import io
import json
import logging
import os
import subprocess
import sys
import tempfile
from unittest import mock

import yaml
from cloudinit import util, version
from cloudinit.config import cc_write_files, schema
from cloudinit.handlers.jinja_template import render_jinja_payload


class Log(logging.Handler):
    """Warnings and errors of cloud-init."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record):
        self.lines.append(record.getMessage().strip())


def schema_faults(config_file: str) -> list[str]:
    """What `cloud-init schema --config-file` says, but for its word that all is well."""
    said = io.StringIO()
    args = schema.get_parser().parse_args(["--config-file", config_file])
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), contextlib.suppress(SystemExit):
        schema.handle_schema_args("schema", args)
    return [line for line in said.getvalue().splitlines() if line and not line.startswith("Valid cloud-config")]


def run(text: str, computer_name: str, folder: str) -> dict:
    log = Log()
    root = logging.getLogger()
    root.addHandler(log)
    files: list[dict] = []
    write_file = util.write_file

    def write_in_folder(path, content, omode, mode):
        here = os.path.join(folder, "machine", path.lstrip("/"))
        write_file(here, content, omode=omode, mode=mode)
        files.append({"path": path, "here": here, "mode": f"{mode:04o}"})

    document = script = ""
    try:
        # As a line of `cloud-init query --all` on Azure; the part that is ours.
        metadata = {"local_hostname": computer_name, "instance_id": "instance-0"}
        document = render_jinja_payload(text, "user data", {"v1": metadata, "ds": {"meta_data": metadata}}) or ""
        config_file = os.path.join(folder, "user-data")
        with open(config_file, "w", encoding="utf-8", newline="") as file:
            file.write(document)
        log.lines.extend(schema_faults(config_file))
        config = yaml.safe_load(document)
        with (
            mock.patch.object(util, "write_file", write_in_folder),
            mock.patch.object(util, "chownbyname", lambda *_: None),
        ):
            cc_write_files.write_files("write_files", config.get("write_files"), "root:root")
        script = util.shellify(config["runcmd"])
        parsed = subprocess.run(["sh", "-n"], input=script, text=True, capture_output=True, check=False)
        log.lines.extend(parsed.stderr.splitlines())
    except Exception as error:
        log.lines.append(f"{type(error).__name__}: {error}")
    finally:
        root.removeHandler(log)

    def content(path: str) -> str:
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()

    return {
        "document": document,
        "files": [
            {"path": file["path"], "mode": file["mode"], "base64": content(file["here"])} for file in files
        ],
        "script": script,
        "log": log.lines,
    }


def main() -> None:
    results = []
    for item in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run(item["text"], item["computerName"], folder))
    json.dump({"version": version.version_string(), "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
