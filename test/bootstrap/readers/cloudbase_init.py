"""Runs user data through cloudbase-init as a Windows machine of Azure would.

Reads a JSON list of {"text", "computerName"} from standard input and writes {"version", "keys", "results"}: what it
is, the keys of a cloud-config that it has plug-ins for, and for each item what it did. Its own code does all of it:
the metadata service for Azure, jinja, the parser, the plug-ins. Only the machine below is made up: drives are folders,
users are a list, and a batch file is kept instead of run.
"""

import base64
import json
import logging
import ntpath
import os
import sys
import tempfile
import types
from importlib.metadata import version
from unittest import mock

import yaml

# The certificate store of Windows; the metadata service imports it and needs it for certificates only.
sys.modules["cloudbaseinit.utils.windows.x509"] = types.ModuleType("x509")

from cloudbaseinit import constant  # noqa: E402
from cloudbaseinit.metadata.services import azureservice  # noqa: E402
from cloudbaseinit.osutils import base as osutils_base  # noqa: E402
from cloudbaseinit.osutils import factory as osutils_factory  # noqa: E402
from cloudbaseinit.plugins.common import userdata  # noqa: E402
from cloudbaseinit.plugins.common.userdataplugins.cloudconfigplugins import factory, write_files  # noqa: E402

OVF_ENVIRONMENT = """<?xml version="1.0" encoding="utf-8"?>
<Environment xmlns="http://schemas.dmtf.org/ovf/environment/1" xmlns:wa="http://schemas.microsoft.com/windowsazure">
  <wa:ProvisioningSection>
    <WindowsProvisioningConfigurationSet>
      <ComputerName>{computer_name}</ComputerName>
    </WindowsProvisioningConfigurationSet>
  </wa:ProvisioningSection>
</Environment>
"""


class Machine(osutils_base.BaseOSUtils):
    """What cloudbase-init may do to the machine. Anything else is an error in its log."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.drive = os.path.join(folder, "C:")
        self.batches: list[str] = []
        self.groups: dict[str, list[str]] = {}

    # The image has this user already: CreateUser comes before UserData.
    def user_exists(self, username):
        return username == "capi"

    def create_user(self, username, password, password_expires=False):
        self.groups[username] = []

    def set_user_password(self, username, password, password_expires=False):
        pass

    def set_user_info(self, username, full_name=None, disabled=False, expire_interval=None):
        pass

    def get_maximum_password_length(self):
        return 20

    def add_user_to_local_group(self, username, groupname):
        self.groups.setdefault(username, []).append(groupname)

    def create_user_logon_session(self, username, password, domain=".", load_profile=True, logon_type=None):
        return None

    def close_user_logon_session(self, token):
        pass

    def get_user_home(self, username):
        return os.path.join(self.drive, "Users", username)

    def get_logical_drives(self):
        return [os.path.join(self.folder, "dvd")]

    def get_default_script_exec_header(self):
        return constant.SCRIPT_HEADER_CMD

    def execute_process(self, args, shell=True, decode_output=False):
        with open(args[0], encoding="utf-8", newline="") as batch:
            self.batches.append(batch.read())
        return b"", b"", 0


class AzureService(azureservice.AzureService):
    """Without the wire server, from which cloudbase-init has the instance id."""

    def _get_role_instance_id(self):
        return "instance-0"


class Watched(dict):
    """A mapping of the user data that knows which of its keys were asked for."""

    def __init__(self, content: dict, place: str, used: set[str]) -> None:
        super().__init__(content)
        self.place = place
        self.used = used

    def __getitem__(self, key):
        self.used.add(f"{self.place}.{key}")
        return super().__getitem__(key)

    def get(self, key, default=None):
        self.used.add(f"{self.place}.{key}")
        return super().get(key, default)


def watched(value, place: str, used: set[str], places: set[str]):
    if isinstance(value, dict):
        inner = {}
        for key, item in value.items():
            places.add(f"{place}.{key}")
            inner[key] = watched(item, f"{place}.{key}", used, places)
        return Watched(inner, place, used)
    if isinstance(value, list):
        return [watched(item, f"{place}[]", used, places) for item in value]
    return value


class Log(logging.Handler):
    """Warnings and errors of cloudbase-init."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record):
        cause = f": {record.exc_info[1]}" if record.exc_info else ""
        self.lines.append(f"{record.getMessage().strip()}{cause}")


def run(text: str, computer_name: str, folder: str) -> dict:
    machine = Machine(folder)
    dvd = machine.get_logical_drives()[0]
    os.makedirs(machine.drive)
    os.makedirs(dvd)
    for name, content in {
        azureservice.OVF_ENV_DRIVE_TAG: "",
        azureservice.OVF_ENV_FILENAME: OVF_ENVIRONMENT.format(computer_name=computer_name),
        azureservice.CUSTOM_DATA_FILENAME: text,
    }.items():
        with open(os.path.join(dvd, name), "w", encoding="utf-8", newline="") as file:
            file.write(content)

    files: list[dict] = []
    write_file = write_files._write_file

    def write_on_drive(path, content, permissions, open_mode):
        # On Windows a path without a drive is on the current one, and \ is a separator.
        on_windows = ntpath.normpath(os.path.relpath(path, folder) if path.startswith(folder) else f"C:{path}")
        drive, rest = ntpath.splitdrive(on_windows)
        here = os.path.join(folder, drive.upper() + rest.replace("\\", "/"))
        write_file(here, content, permissions, open_mode)
        files.append({"path": drive.upper() + rest, "here": here})

    used: set[str] = set()
    places: set[str] = set()
    documents: list[str] = []
    load = yaml.load

    def load_watched(stream, Loader):
        documents.append(stream.decode())
        content = load(stream, Loader=Loader)
        return {key: watched(value, key, used, places) for key, value in content.items()}

    log = Log()
    root = logging.getLogger()
    root.addHandler(log)
    os.chdir(folder)
    try:
        with (
            mock.patch.object(osutils_factory, "get_os_utils", lambda: machine),
            mock.patch.object(write_files, "_write_file", write_on_drive),
            mock.patch.object(yaml, "load", load_watched),
            mock.patch.object(os, "linesep", "\r\n"),
        ):
            userdata.UserDataPlugin().execute(AzureService(), {})
    except Exception as error:  # cloudbase-init would log it and go on to its next plug-in.
        log.lines.append(f"{type(error).__name__}: {error}")
    finally:
        root.removeHandler(log)

    def content(path: str) -> str:
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()

    keys = {}
    for user in machine.groups:
        path = os.path.join(machine.get_user_home(user), ".ssh", "authorized_keys")
        keys[user] = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
    return {
        "document": documents[0] if documents else "",
        "files": [{"path": file["path"], "base64": content(file["here"])} for file in files],
        "batches": machine.batches,
        "groups": machine.groups,
        "keys": keys,
        "ignored": sorted(places - used),
        "log": log.lines,
    }


def main() -> None:
    logging.getLogger().setLevel(logging.WARNING)
    results = []
    for item in json.load(sys.stdin):
        with tempfile.TemporaryDirectory() as folder:
            results.append(run(item["text"], item["computerName"], os.path.realpath(folder)))
            os.chdir("/")
    known = {"version": version("cloudbase-init"), "keys": list(factory.PLUGINS)}
    json.dump({**known, "results": results}, sys.stdout)


if __name__ == "__main__":
    main()
