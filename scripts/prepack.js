"use strict";

// npm runs this before it packs the root, also for `npm install github:OWNER/REPOSITORY`. What it would make has no command.
console.error(
  "The package is not made of the root. Run: npm run build && cd dist && npm pack (docs/package.md)",
);
process.exitCode = 1;
