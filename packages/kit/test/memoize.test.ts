import { memoize } from "capz-windows-kit/memoize";

it("computes once for equal arguments, and again for others or after a failure", () => {
  const calls: string[] = [];
  const join = memoize((list: readonly string[], end?: string): string => {
    const text = list.join() + (end ?? "");
    calls.push(text);
    if (text === "") {
      throw new Error("nothing");
    }
    return text;
  });
  expect([join(["a", "b"]), join(["a", "b"]), join(["a,b"]), join(["a"], ",b")]).toEqual(
    Array.from({ length: 4 }, () => "a,b"),
  );
  expect(() => join([])).toThrow("nothing");
  expect(() => join([])).toThrow("nothing");
  expect(calls).toEqual(["a,b", "a,b", "a,b", "", ""]);
});

it("keeps the values that were used last", () => {
  const computed: number[] = [];
  const next = memoize((n: number) => {
    computed.push(n);
    return n + 1;
  });
  for (let n = 0; n < 1001; n += 1) {
    next(n);
    expect(next(0)).toBe(1);
  }
  expect(next(1)).toBe(2);
  expect(next(501)).toBe(502);
  expect(computed.slice(1000)).toEqual([1000, 1]);
});

it("remembers that there is no result", () => {
  let count = 0;
  const nothing = memoize((text: string): string | undefined => {
    count += 1;
    return text === "" ? text : undefined;
  });
  expect([nothing("a"), nothing("a"), nothing("a"), count]).toEqual([undefined, undefined, undefined, 1]);
});
