#!/usr/bin/env bash
# Creates or updates a pull request with a changed stack file. Its text has the impact of the plan and the output of
# `npm run images`.
#   imagesPullRequest.sh STACK FILE      FILE has that output
# Each stack has one branch, which the next month's change replaces, so there is at most one open pull request.
set -euo pipefail

stack="$1"
images="$2"
file="Pulumi.$stack.yaml"
branch="images/$stack"

if git diff --quiet -- "$file"; then
  echo "Nothing newer for $stack."
  exit 0
fi

body="${RUNNER_TEMP:-/tmp}/images-$stack.md"
# 2 and 3 mean that machines roll or something is destroyed, which the text then describes.
status=0
npm run --silent plan -- --stack "$stack" --against HEAD --format markdown > "$body.impact" || status=$?
if [ "$status" != 0 ] && [ "$status" != 2 ] && [ "$status" != 3 ]; then
  exit "$status"
fi
{
  echo "Newer images for the stack \`$stack\`. Checks and reviews are those of every pull request."
  echo
  cat "$body.impact"
  echo
  echo '<details><summary>Images</summary>'
  echo
  echo '```text'
  cat "$images"
  echo '```'
  echo
  echo '</details>'
} > "$body"

git config user.name "github-actions[bot]"
git config user.email "41898282+github-actions[bot]@users.noreply.github.com"
git switch --force-create "$branch"
git add -- "$file"
git commit --message "Newer images for $stack"
# The checkout does not keep its credentials. The token of gh is valid until the job ends.
git -c "credential.helper=!gh auth git-credential" push --force origin "$branch"

if [ -n "$(gh pr list --head "$branch" --state open --json number --jq '.[].number')" ]; then
  gh pr edit "$branch" --body-file "$body"
else
  gh pr create --head "$branch" --title "Newer images for $stack" --body-file "$body"
fi
