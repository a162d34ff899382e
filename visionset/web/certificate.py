"""The certificate of the page that makes a phone the camera: made once, renewed before it ends, and of no use elsewhere."""

from __future__ import annotations

import ipaddress
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from cryptography import x509

from visionset.errors import OutputError, reason
from visionset.saving import saved

_LASTS = timedelta(days=390)
"""Phones refuse certificates of servers that hold for longer than 398 days."""

_RENEWED = timedelta(days=7)
"""Before its end: no evening shall be cut short."""


def certificate(folder: Path, address: str, now: datetime | None = None) -> Path:
    """File with the certificate for an address of this machine and its secret key, which its owner alone may read.

    It is made anew where there is none for this address, or none that holds on. Nothing is kept of the authority that signs it, so that
    nobody can ever make another that a phone which trusts this one trusts as well.

    Parameters
    ----------
    folder : Path
        Where matches and seats are kept.
    address : str
        Of this machine in its network, such as ``192.168.1.20``.
    now : datetime, optional
        With its time zone; for tests.

    Raises
    ------
    OutputError
        It cannot be written.
    """
    now = now or datetime.now(UTC)
    path = folder / "phone-camera.pem"
    if not _fits(path, address, now):
        made = trustme.CA().issue_cert(address, common_name="visionset", not_before=now - timedelta(days=1), not_after=now + _LASTS)
        with saved(path, "name another folder", make_folder=True, private=True) as part:
            made.private_key_and_cert_chain_pem.write_to_path(part)
    try:
        path.chmod(0o600)  # what a copy of the folder, or an earlier version, has opened to others
    except OSError as error:
        raise OutputError(f"{path}: expected to keep it from others, got {reason(error)}; name another folder") from None
    return path


def _fits(path: Path, address: str, now: datetime) -> bool:
    """Whether the file holds a certificate for this address that holds on, and the key that belongs to it."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(path)
        kept = x509.load_pem_x509_certificate(path.read_bytes())
        names = kept.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return ipaddress.ip_address(address) in names.get_values_for_type(x509.IPAddress) and now < kept.not_valid_after_utc - _RENEWED
    except (OSError, ValueError, x509.ExtensionNotFound):
        return False
