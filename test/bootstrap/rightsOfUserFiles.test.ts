import { secretFileText, userFile } from "../../bootstrap/userFiles";

describe("a file of the user's", () => {
  const path = "C:/k/own.txt";

  it("has its content unchanged", () => {
    expect(userFile({ path, content: "a", permissions: "0600" }, "blue")).toEqual({
      path,
      content: "a",
      permissions: "0600",
    });
  });

  it("comes from the Secret of the stack in base64, so that neither templates nor YAML change it", () => {
    expect(userFile({ path, contentFrom: { secretFile: "licence.key" } }, "blue")).toEqual({
      path,
      encoding: "base64",
      contentFrom: { secret: { name: "blue-secret-files", key: "licence.key" } },
    });
    expect(Buffer.from(secretFileText("{{ ü }}\n"), "base64").toString("utf8")).toBe("{{ ü }}\n");
  });

  it("comes from a Secret of the user without an encoding", () => {
    const secret = { name: "licences", key: "a" };
    expect(userFile({ path, contentFrom: { secret } }, "blue")).toEqual({ path, contentFrom: { secret } });
  });
});
