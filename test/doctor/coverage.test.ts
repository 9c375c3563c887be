import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "../../doctor/diagnose";
import { allRules, families } from "../../doctor/rules/allRules";
import { patient, recordedDir, recording } from "./patient";
it("coverage", () => {
  const only = new Map<string, string[]>(),
    first = new Map<string, number>(),
    any = new Map<string, number>();
  const add = (id: string, m: Map<string, number>) => m.set(id, (m.get(id) ?? 0) + 1);
  const take = (name: string, d: any) => {
    d.findings.forEach((f: any, i: number) => {
      if (i === 0) add(f.id, first);
      add(f.id, any);
      for (const c of f.consequences ?? []) add(c.id, any);
    });
    if (d.findings.length === 1) only.set(d.findings[0].id, [...(only.get(d.findings[0].id) ?? []), name]);
  };
  const t = Date.now();
  let n = 0;
  for (const folder of ["blind", "catalogue", "faults"])
    for (const file of readdirSync(join(__dirname, folder))) {
      const mod = jest.requireActual(join(__dirname, folder, file)) as Record<string, unknown>;
      for (const list of Object.values(mod))
        if (Array.isArray(list))
          for (const one of list as any[])
            if (typeof one?.make === "function") {
              try {
                const p = patient();
                one.make(p);
                take(`${file} ${one.name}`, diagnose(p.snapshot()));
                n++;
              } catch (e) {
                console.log(file, one.name, String(e));
              }
            }
    }
  for (const f of readdirSync(recordedDir)) {
    take(f, diagnose(recording(f.replace(/.json$/, ""))));
  }
  const fam = new Map(families.flatMap((f) => f.rules.map((r) => [r.id, f.name] as const)));
  writeFileSync(
    "/tmp/commands/coverage.json",
    JSON.stringify(
      allRules.map((r) => ({
        id: r.id,
        family: fam.get(r.id),
        generic: !!r.generic,
        last: !!r.last,
        only: only.get(r.id)?.length ?? 0,
        first: first.get(r.id) ?? 0,
        any: any.get(r.id) ?? 0,
      })),
      null,
      0,
    ),
  );
  console.log(n, Date.now() - t);
}, 600000);
