"""The commands, one module each: ``add_parsers`` describes it, the function it names runs it. Heavy imports stay inside."""
