"""The certificate that `serve --https` shows: this machine's own, signed by nobody else."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from web.serving.join import keep_secret, lan_addresses, own_names

# Phones refuse what is valid for more than 825 days. The first is in the past, for clocks that are slow.
EARLIER, VALID = timedelta(days=1), timedelta(days=800)
# A certificate that would end within this is made anew, so that none ends while games are played.
LEFT = timedelta(days=30)
LOOPBACK = ("127.0.0.1", "::1")


def names_here(host: str | None = None) -> frozenset[str]:
    """The names and addresses under which this machine is asked for, `host` among them."""
    return own_names() | {*LOOPBACK, *lan_addresses()} | ({host.lower()} if host else set())


def tls_context(path: Path, names: Iterable[str], now: datetime | None = None) -> ssl.SSLContext:
    """What a server needs to speak https with the certificate in `path`, which is readable by its owner alone.

    The certificate is made where there is none, or where it is too old, or does not hold all of `names`. Else it stays
    as it is: a phone that has accepted it once need not be asked again. Raises OSError if the file can't be used.
    """
    wanted = {name for name in map(_general_name, names) if name is not None}
    now = now or datetime.now(UTC)
    if not _is_good(path, wanted, now):
        keep_secret(path, _make(wanted, now))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


def _general_name(name: str) -> x509.GeneralName | None:
    """A name as certificates have it; None of one that they can't have."""
    try:
        return x509.IPAddress(ipaddress.ip_address(name.partition("%")[0]))
    except ValueError:
        return x509.DNSName(name) if name.isascii() else None


def _is_good(path: Path, wanted: set[x509.GeneralName], now: datetime) -> bool:
    try:
        data = path.read_bytes()
        certificate = x509.load_pem_x509_certificate(data)
        key = load_pem_private_key(data, password=None)
        held = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (FileNotFoundError, ValueError, TypeError, x509.ExtensionNotFound):
        return False
    in_time = certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc - LEFT
    return in_time and wanted <= set(held) and key.public_key() == certificate.public_key()


def _make(names: set[x509.GeneralName], now: datetime) -> str:
    """A fresh key and its certificate, as text."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "dicescribe")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + VALID)
        .add_extension(x509.SubjectAlternativeName(sorted(names, key=repr)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    written = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return (written + certificate.public_bytes(Encoding.PEM)).decode("ascii")
