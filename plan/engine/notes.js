"use strict";

// For every promise of a program the SDK notes a stack trace that only PULUMI_DEBUG_PROMISE_LEAKS would show, and
// whatever translates stack traces to lines of TypeScript translates each of them: a fifth of a program's time. Those
// stay empty.
const isNote = ([frame]) => /[\\/]runtime[\\/]debuggable\.js$/.test(frame?.getFileName() ?? "");

/**
 * From now on the SDK's notes are empty.
 * @param translate makes all other stack traces
 * @returns {() => void} puts back what was there
 */
function emptyNotes(translate = Error.prepareStackTrace) {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
  const withoutNotes = (error, frames) => (isNote(frames) ? "" : translate(error, frames));
  Object.defineProperty(Error, "prepareStackTrace", {
    configurable: true,
    enumerable: true,
    get: () => translate && withoutNotes,
    set: (next) => {
      // Those who look at a stack put back what they found.
      if (next !== withoutNotes) {
        translate = next;
      }
    },
  });
  return () => {
    if (before) {
      Object.defineProperty(Error, "prepareStackTrace", before);
    } else {
      delete Error.prepareStackTrace;
    }
  };
}

module.exports = { emptyNotes };
