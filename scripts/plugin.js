"use strict";

// What Pulumi starts of a clone for programs in other languages.
require("./typescript");
require("../components/plugin.ts");
