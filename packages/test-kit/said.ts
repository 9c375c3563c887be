/** What a command prints, in the process of the test. */
export async function said(command: () => Promise<number>) {
  const [out, err]: [string[], string[]] = [[], []];
  const spies = [
    jest.spyOn(process.stdout, "write").mockImplementation((text) => out.push(String(text)) > 0),
    jest.spyOn(process.stderr, "write").mockImplementation((text) => err.push(String(text)) > 0),
  ];
  try {
    return { code: await command(), out: out.join(""), err: err.join("") };
  } finally {
    spies.forEach((spy) => {
      spy.mockRestore();
    });
  }
}
