"""The tables that networks learn from: recipes of chance over the plan and the painter of `visionset.render`."""
