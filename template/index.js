"use strict";

// The stack that Pulumi.NAME.yaml describes. Own resources beside it: node_modules/capz-windows/docs/package.md
module.exports = require("capz-windows");
