"""Names of ``ssl`` and ``urllib.request``."""

from tfgraphtools.compat.fixes.build import made


@made("ssl.wrap_socket", "Python 3.12", "wraps a socket with an SSLContext of these arguments")
def _wrap_socket(real):
    def wrap_socket(
        sock,
        keyfile=None,
        certfile=None,
        server_side=False,
        cert_reqs=real.CERT_NONE,
        ssl_version=real.PROTOCOL_TLS,
        ca_certs=None,
        do_handshake_on_connect=True,
        suppress_ragged_eofs=True,
        ciphers=None,
    ):
        if server_side and not certfile:
            raise ValueError("certfile must be specified for server-side operations")
        if keyfile and not certfile:
            raise ValueError("certfile must be specified")
        context = real.SSLContext(ssl_version)
        context.check_hostname = False
        context.verify_mode = cert_reqs
        if ca_certs:
            context.load_verify_locations(ca_certs)
        if certfile:
            context.load_cert_chain(certfile, keyfile)
        if ciphers:
            context.set_ciphers(ciphers)
        return context.wrap_socket(
            sock,
            server_side=server_side,
            do_handshake_on_connect=do_handshake_on_connect,
            suppress_ragged_eofs=suppress_ragged_eofs,
        )

    return wrap_socket


@made("ssl.RAND_pseudo_bytes", "Python 3.12", "random bytes, and whether they are strong")
def _pseudo_bytes(real):
    return lambda n: (real.RAND_bytes(n), True)


@made("urllib.request.URLopener", "Python 3.14", "opens and retrieves URLs by urlopen")
def _url_opener(real):
    class URLopener:
        """Opens URLs."""

        def __init__(self, *ignored, **also_ignored):
            self.addheaders = []

        def open(self, url, data=None):
            """The open response."""
            return real.urlopen(real.Request(url, data, dict(self.addheaders)))

        def addheader(self, *header):
            """Sends this header with every request."""
            self.addheaders.append(header)

        def retrieve(self, url, filename=None, reporthook=None, data=None):
            """Downloads to a file: (its name, the headers)."""
            return real.urlretrieve(url, filename, reporthook, data)

    return URLopener


ROWS = [
    _wrap_socket,
    _pseudo_bytes,
    _url_opener,
]
