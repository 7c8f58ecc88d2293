"""Where a request goes: the origin of an address, and the proxy that the environment names for it."""

from __future__ import annotations

import base64
import ipaddress
from typing import List, NamedTuple, Optional, Tuple
from urllib.parse import quote, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from .errors import ConfigurationError, MalformedResponseError

_DEFAULT_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    """Scheme, host and port; what decides whether a key may go along."""

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.netloc}"


class Address(NamedTuple):
    """An origin and what is asked of it. The query may be a signature and never belongs in a text."""

    origin: Origin
    path: str
    query: str

    @property
    def target(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path

    def __repr__(self) -> str:
        return f"{self.origin}{self.path}"


class Proxy(NamedTuple):
    """An HTTP proxy and the header that opens it."""

    host: str
    port: int
    authorization: Optional[str]


class Route(NamedTuple):
    """How an origin is reached, and what that changes in a request."""

    origin: Origin
    proxy: Optional[Proxy]

    @property
    def end(self) -> Tuple[str, int]:
        """Host and port that a connection is made to."""
        return (self.origin.host, self.origin.port) if self.proxy is None else (self.proxy.host, self.proxy.port)

    @property
    def headers(self) -> List[Tuple[str, str]]:
        """What a proxy wants to see with each request; one that was asked for a tunnel sees none."""
        if self.origin.scheme != "http" or self.proxy is None or self.proxy.authorization is None:
            return []
        return [("Proxy-Authorization", self.proxy.authorization)]

    def target_of(self, address: Address) -> str:
        through_proxy = self.origin.scheme == "http" and self.proxy is not None
        return f"{address.origin}{address.target}" if through_proxy else address.target

    def __str__(self) -> str:
        return str(self.origin) if self.proxy is None else f"{self.origin} through the proxy {self.proxy.host}:{self.proxy.port}"


def parse_address(url: str) -> Address:
    """``ValueError`` without the address in it, where it is no absolute http or https one."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ValueError("The address cannot be read.") from None
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError("The address must begin with http:// or https:// and name a host.")
    if parts.username is not None:
        raise ValueError("The address must not hold a user name or password.")
    origin = Origin(parts.scheme, _to_ascii_host(parts.hostname), port or _DEFAULT_PORTS[parts.scheme])
    return Address(origin, _to_ascii(parts.path) or "/", _to_ascii(parts.query))


def parse_base_url(url: str) -> Address:
    """A base address, with or without a path prefix and a slash at its end."""
    try:
        address = parse_address(url.strip())
    except ValueError as error:
        raise ConfigurationError(f"base_url: {error}") from None
    if address.query or "#" in url:
        raise ConfigurationError("base_url: The address must have neither query nor fragment.")
    path = address.path.rstrip("/")
    if path.endswith("/api/v1"):
        raise ConfigurationError("base_url: Leave out /api/v1 at the end: this library adds it.")
    return address._replace(path=path)


def parse_answered_address(url: str, what: str) -> Address:
    """An address that the service gave."""
    try:
        return parse_address(url)
    except ValueError as error:
        raise MalformedResponseError(f"{what}: {error}") from None


def route_to(origin: Origin) -> Route:
    """Direct, or by the proxy of the environment."""
    return Route(origin, _proxy_for(origin))


def _proxy_for(origin: Origin) -> Optional[Proxy]:
    """As urllib reads the environment (``http_proxy``, ``https_proxy``, ``no_proxy``); never for this machine itself."""
    if _is_loopback(origin.host) or proxy_bypass(origin.host):
        return None
    url = getproxies().get(origin.scheme)
    if not url:
        return None
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port or 80
    except ValueError:
        raise ConfigurationError("The address of the proxy in the environment cannot be read.") from None
    if parts.scheme != "http" or not parts.hostname:
        raise ConfigurationError("The proxy in the environment must have an http:// address.")
    if parts.username is None:
        return Proxy(parts.hostname, port, None)
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return Proxy(parts.hostname, port, "Basic " + base64.b64encode(pair.encode()).decode("ascii"))


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _to_ascii_host(host: str) -> str:
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise ValueError("The host name cannot be read.") from None


def _to_ascii(text: str) -> str:
    # What is escaped stays as it is: a signature covers the very text.
    return quote(text, safe="%/:=&?~#+!$,;'@()*[]|")
