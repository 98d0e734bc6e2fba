"""The rules: pure games over boards, and nothing of bots, clocks or chance."""
