"""The commands, one module each: ``add_parsers`` describes it, the function it names runs it. Heavy imports stay inside."""

COMMANDS = {
    "table": "play at a page in the browser, with a camera or without",
    "demo": "play a recorded table: no camera, no display needed",
    "read": "name the cards and dice in photos and find the SETs",
    "watch": "draw cards and SETs on live video",
    "replay": "run a recording again and tell what is read otherwise",
    "report": "write one page about a match or a recording",
    "bundle": "pack the last minute of a recording for a fault report",
    "find": "find the photos of an archive in which some pieces lay",
    "score": "score the reading of photos whose truth you wrote down",
    "render": "render a table or a clip of one, with its truth",
    "cameras": "list the cameras with their numbers and names",
    "bench": "measure the speed of this machine",
    "doctor": "check what is installed and what works",
    "calibrate": "learn the camera, the table and the deck",
    "print": "write cards, dice and more to print, as PDF",
    "play": "play a game in the terminal",
    "matches": "list, show, export and delete the matches that were played",
    "advise": "say what to play",
    "rules": "print the rules of a game as the program holds them",
    "config": "show what is set, and where",
    "completion": "print what Tab completes in bash, zsh or fish",
    "desktop": "put visionset into the menu of a Linux desktop, with its icon",
}
"""What each command does, in the order of the help. One is imported only where it is named."""
