python3 -c 'import socket; socket.create_connection(("192.0.2.1", 80), timeout=5)' || exit 7
