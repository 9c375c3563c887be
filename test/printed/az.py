"""Reads a JSON list of argument lists for az, and prints what Azure CLI says of each, or null for what it accepts.

The arguments are read and checked by the real Azure CLI. It is stopped where it would run the command or use the network.
"""

import contextlib
import io
import json
import logging
import os
import socket
import sys
import tempfile

folder = tempfile.TemporaryDirectory()
os.environ.update(
    AZURE_CONFIG_DIR=folder.name,
    AZURE_CORE_COLLECT_TELEMETRY="0",
    AZURE_CORE_ONLY_SHOW_ERRORS="1",
    # Otherwise it asks a web page which extension has an unknown command.
    AZURE_EXTENSION_USE_DYNAMIC_INSTALL="no",
)

from azure.cli.core import get_default_cli  # noqa: E402
from azure.cli.core.commands import AzCliCommandInvoker  # noqa: E402


class Accepted(BaseException):
    """The arguments are right."""


def accept(*_args, **_kwargs):
    raise Accepted


AzCliCommandInvoker._run_jobs_serially = accept
AzCliCommandInvoker._run_jobs_concurrently = accept


def offline(*_args, **_kwargs):
    raise socket.gaierror("no network")


socket.getaddrinfo = offline

errors = io.StringIO()
handler = logging.StreamHandler(errors)
handler.setLevel(logging.ERROR)


def verdict(args):
    errors.seek(0)
    errors.truncate()
    said = io.StringIO()
    for name in ("cli", "cli.azure.cli.core.azclierror"):
        logging.getLogger(name).addHandler(handler)
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        try:
            code = get_default_cli().invoke(args)
        except Accepted:
            return None
        except SystemExit as error:
            code = error.code
    text = (errors.getvalue() or said.getvalue()).strip() or f"exit code {code}"
    # `az login` asks Entra about the tenant while it checks its arguments.
    return None if "no network" in text else text


json.dump([verdict(args) for args in json.load(sys.stdin)], sys.stdout)
