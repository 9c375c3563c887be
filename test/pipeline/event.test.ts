import { github } from "../../commands/pipeline/github";
import { PipelineError } from "../../commands/pipeline/service";

it.each([
  ["", "The variable GITHUB_EVENT_PATH is not set. Run this in a workflow of GitHub, which sets it."],
  [
    "/dev/null",
    "/dev/null, which GITHUB_EVENT_PATH names, has no event of GitHub: Unexpected end of JSON input",
  ],
])("without an event of GitHub (%j) the message says so", (GITHUB_EVENT_PATH, message) => {
  expect(() => github({ GITHUB_REPOSITORY: "a/b", GITHUB_EVENT_PATH })).toThrow(new PipelineError(message));
});
