/**
 * The commands that a clone has as scripts of npm, and an installed package as \`npx capz-windows COMMAND\`: for the program
 * itself, the project that init writes, and the texts of the package (scripts/packageTexts.js).
 */
export const commandNames = [
  "plan",
  "explain",
  "preflight",
  "doctor",
  "probe",
  "encryption",
  "access",
  "import",
  "workloads",
  "images",
  "pipeline",
] as const;
