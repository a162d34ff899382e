"""What the samples show: recipes of pictures and clips over the plan and the painter of `visionset.render`."""
