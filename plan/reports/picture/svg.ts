import type { Html } from "../html/html";
import { html } from "../html/html";
import type { Topology } from "../topology/types";
import { identitiesBox, managementBox, mtuSteps, workloadBox } from "./boxes";
import type { PlacedBox, Rect } from "./layout";
import { grid, layout } from "./layout";
import { wrap } from "./measure";

/** The picture at one width: everything placed, nothing drawn yet. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly PlacedBox[];
  readonly arrows: readonly Arrow[];
  readonly captions: readonly { readonly x: number; readonly y: number; readonly text: string }[];
}

export interface Arrow {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly label?: string;
}

const bottomOf = ({ y, height }: Rect): number => y + height;

/** Width in pixels of the column of what makes the cluster. */
const leftColumn = 280;

/** Makers on the left, what they make on the right; below 700 pixels everything stands in one column. */
function mainBoxes(topology: Topology, width: number): { boxes: PlacedBox[]; makes: Arrow } {
  const management = managementBox(topology);
  const identities = topology.identities.length > 0 ? [identitiesBox(topology)] : [];
  if (width < 700) {
    const first = layout(management, 1, 1, width - 2);
    const cluster = layout(workloadBox(topology), 1, bottomOf(first) + 44, width - 2);
    const rest = grid({ boxes: identities }, { x: 1, y: bottomOf(cluster) + 16, width: width - 2 });
    const makes = { from: [width / 2, bottomOf(first)], to: [width / 2, cluster.y], label: "makes" } as const;
    return { boxes: [first, cluster, ...rest], makes };
  }
  const between = 70;
  const left = grid({ boxes: [management, ...identities] }, { x: 1, y: 1, width: leftColumn });
  const x = leftColumn + between;
  const cluster = layout(workloadBox(topology), x, 1, width - x - 1);
  const makes = { from: [1 + leftColumn, 46], to: [x, 46], label: "makes" } as const;
  return { boxes: [...left, cluster], makes };
}

/** @param width - of the picture in pixels */
export function pictureOf(topology: Topology, width: number): Picture {
  const { boxes, makes } = mainBoxes(topology, width);
  const captionY = Math.max(...boxes.map(bottomOf)) + 34;
  const caption = "The largest packet on the way from pod to pod, in bytes";
  const captions = wrap(caption, width - 4, 13, { bold: true }).map((text, index) => ({
    x: 2,
    y: captionY + index * 18,
    text,
  }));
  const narrow = width < 700;
  const top = captionY + captions.length * 18 - 4;
  const steps = chain(topology, { x: 1, y: top, width: width - 2 }, narrow);
  const arrows = steps.slice(1).map((step, index): Arrow => {
    const before = steps[index] ?? step;
    return narrow
      ? { from: [width / 2, bottomOf(before)], to: [width / 2, step.y] }
      : { from: [before.x + before.width, step.y + 28], to: [step.x, step.y + 28] };
  });
  return {
    width,
    height: Math.max(...steps.map(bottomOf)) + 1,
    boxes: [...boxes, ...steps],
    arrows: [makes, ...arrows],
    captions,
  };
}

function chain(topology: Topology, { x, y, width }: Omit<Rect, "height">, narrow: boolean): PlacedBox[] {
  const boxes = mtuSteps(topology);
  const between = 22;
  if (narrow) {
    let top = y;
    return boxes.map((box) => {
      const placed = layout(box, x, top, width);
      top = bottomOf(placed) + between;
      return placed;
    });
  }
  const each = (width - (boxes.length - 1) * between) / boxes.length;
  const placed = boxes.flatMap((box, index) =>
    grid({ boxes: [box] }, { x: x + index * (each + between), y, width: each }),
  );
  const height = Math.max(...placed.map((box) => box.height));
  return placed.map((box) => ({ ...box, height }));
}

const n = (value: number): number => Math.round(value * 10) / 10;

/** Four panes or a prompt: what runs on a machine, told without colour. */
function mark({ tone, x, y }: PlacedBox): Html | undefined {
  const [left, top] = [n(x + 12), n(y + 14)];
  return tone === "windows"
    ? html`<path class="mark" d="M${left} ${top}h5v5h-5zm6 0h5v5h-5zm-6 6h5v5h-5zm6 0h5v5h-5z" />`
    : tone === "linux"
      ? html`<path class="mark stroke" d="M${left + 1} ${top + 1}l4 4.5-4 4.5m6 0h5" />`
      : undefined;
}

function drawBox(box: PlacedBox): Html {
  const { tone, x, y, width, height, full, texts, badge, children } = box;
  return html`<g class="box ${tone}">
    <title>${full}</title>
    <rect
      x="${n(x)}"
      y="${n(y)}"
      width="${n(width)}"
      height="${n(height)}"
      rx="${tone === "step" ? 8 : 10}"
    />
    ${mark(box)}
    ${texts.map(({ x: left, y: base, text, role }) => html`<text class="${role}" x="${n(left)}" y="${n(base)}">${text}</text>`)}
    ${
      badge &&
      html`<rect
          class="badge"
          x="${n(badge.x)}"
          y="${n(badge.y)}"
          width="${n(badge.width)}"
          height="${badge.height}"
          rx="9"
        />
        <text class="badge" x="${n(badge.x + badge.width / 2)}" y="${n(badge.y + 13)}">${badge.text}</text>`
    }
    ${children.map(drawBox)}
  </g>`;
}

/** @param id - makes ids of this drawing its own in the page */
export function drawPicture(picture: Picture, id: string, description: string): Html {
  const { width, height, boxes, arrows, captions } = picture;
  return html`<svg
    class="topology"
    role="img"
    viewBox="0 0 ${width} ${n(height)}"
    width="${width}"
    height="${n(height)}"
    aria-labelledby="${id}-title"
  >
    <title id="${id}-title">${description}</title>
    <defs>
      <marker
        id="${id}-tip"
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="8"
        markerHeight="8"
        orient="auto"
      >
        <path class="tip" d="M0 0l8 4-8 4z" />
      </marker>
    </defs>
    ${boxes.map(drawBox)}
    ${arrows.map(
      ({ from, to, label }) =>
        html`<line
            class="arrow"
            x1="${n(from[0])}"
            y1="${n(from[1])}"
            x2="${n(to[0])}"
            y2="${n(to[1])}"
            marker-end="url(#${id}-tip)"
          />
          ${
            label !== undefined &&
            html`<text
              class="label"
              x="${n((from[0] + to[0]) / 2 + (from[0] === to[0] ? 30 : 0))}"
              y="${n((from[1] + to[1]) / 2 + (from[0] === to[0] ? 4 : -8))}"
              >${label}</text
            >`
          }`,
    )}
    ${captions.map(({ x, y, text }) => html`<text class="caption" x="${x}" y="${n(y)}">${text}</text>`)}
  </svg>`;
}
