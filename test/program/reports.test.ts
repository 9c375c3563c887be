// Tests that read what a plan writes and prints. These files are one suite, so that the SDK is loaded and each
// example is planned once; test/program/objects.test.ts is the other half.
import "../plan/cli/cli.part";
import "../plan/reports/html.part";
import "../plan/reports/json.part";
import "../plan/reports/picture.part";
import "../plan/reports/planText.part";
import "../plan/reports/screen.part";
import "../docs/examples.part";
import "./golden.part";
import "./render.part";
