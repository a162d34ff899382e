"""Follow a table that `visionset table` serves: python examples/follow_page.py http://127.0.0.1:8765"""

import json
import sys
import urllib.request

if len(sys.argv) != 2:
    sys.exit("expected the address of a page, such as http://127.0.0.1:8765")
state = {}
with urllib.request.urlopen(f"{sys.argv[1]}/events") as events:
    for line in events:
        if line.startswith(b"data: "):
            news = json.loads(line[6:])
            state |= news.get("whole") or news.get("set")
            print(state["page"], *(f"{one['name']} {one['score']}" for one in state["players"]), state["notice"])
            if state["page"] == "over":
                break
