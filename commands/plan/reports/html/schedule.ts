import type { Schedule } from "../../impact/stages";
import { durationSummary, scheduleNotes, shareOf, stageText, stageTime } from "../scheduleTexts";
import { html, type Html } from "./html";

/** How long a change takes, as a time line. */
export const scheduleSection = (schedule: Schedule): Html =>
  html`<p>${durationSummary(schedule)}</p>
    <dl class="schedule">
      ${schedule.stages.map((stage) => {
        const [from, length] = shareOf(stage, schedule);
        return html`<dt>${stage.who} <span class="time">${stageTime(stage)}</span></dt>
          <dd>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect class="ground" width="100" height="4" />
              <rect
                class="bar"
                x="${(from * 100).toFixed(1)}"
                width="${Math.max(1, length * 100).toFixed(1)}"
                height="4"
              />
            </svg>
            ${stageText(stage)}
          </dd>`;
      })}
    </dl>
    ${scheduleNotes(schedule).map((note) => html`<p class="note">${note}</p>`)}`;
