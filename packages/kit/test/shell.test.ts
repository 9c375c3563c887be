import { bash, filledCommand, hostWord, armIdWord, verbatim } from "capz-windows-kit/shell";

it.each([
  ["prod", "prod"],
  ["Standard_D4s_v5", "Standard_D4s_v5"],
  ["registry.example.com/app:1@sha256:ab", "registry.example.com/app:1@sha256:ab"],
  ["my (group)", "'my (group)'"],
  ["Zürich", "'Zürich'"],
  ["a,b", "'a,b'"],
  ["", "VALUE"],
  ["-f", "VALUE"],
  ["--kubeconfig=/x/evil", "VALUE"],
  ["@/etc/passwd", "VALUE"],
  ["=ls", "VALUE"],
  ["~root", "VALUE"],
  ["$(id)", "VALUE"],
  ["`id`", "VALUE"],
  ["a;id", "VALUE"],
  ["a&id", "VALUE"],
  ["a|id", "VALUE"],
  ["a\nid", "VALUE"],
  ["it's", "VALUE"],
  ["it’s", "VALUE"],
  ["%PATH%", "VALUE"],
  ["!!", "VALUE"],
  ["{a,b}", "VALUE"],
  ["*", "VALUE"],
  ["\u202eevil", "VALUE"],
  ["a".repeat(1_001), "VALUE"],
])("%j in a command is %s", (value, word) => {
  expect(bash`az group show --name ${value}`).toBe(`az group show --name ${word}`);
});

it("quotes nothing inside quotes of the command, and leaves the place to the reader", () => {
  expect(bash`az x --role "${"Virtual Machine Contributor"}"`).toBe(
    `az x --role "Virtual Machine Contributor"`,
  );
  expect(bash`az x --query "[?name=='${"a' || 'b"}']"`).toBe(`az x --query "[?name=='VALUE']"`);
  expect(bash`az x --scope "$(az keyvault show --name ${"a b"} --query id)" --role "${"a b"}"`).toBe(
    `az x --scope "$(az keyvault show --name 'a b' --query id)" --role "a b"`,
  );
  expect(bash`(umask 077 && az x ${"a b"}) && az y ${"a b"}`).toBe("(umask 077 && az x 'a b') && az y 'a b'");
  expect(bash`kubectl patch x -p '{"a":"${"it's"}"}'`).toBe(`kubectl patch x -p '{"a":"VALUE"}'`);
  expect(bash`az x   # of ${"$(id)"}`).toBe("az x   # of VALUE");
});

it("quotes nothing that another shell reads again", () => {
  expect(bash`ssh -J ${"a b"} capi@x`).toBe("ssh -J VALUE capi@x");
  expect(bash`az vm run-command invoke --scripts "curl ${"x (y)"}"`).toBe(
    `az vm run-command invoke --scripts "curl VALUE"`,
  );
});

it("fills names in braces, and words in capitals where there is no value", () => {
  const vars = { name: "a", newLimit: "$(id)", part: verbatim("get pods -A") };
  expect(filledCommand("kubectl {part} {name} {newLimit} {podNamespace} {constructor}", vars)).toBe(
    "kubectl get pods -A a NEW-LIMIT POD-NAMESPACE CONSTRUCTOR",
  );
  expect(filledCommand("curl -w '%{http_code}' https://{name}", vars)).toBe(
    "curl -w '%{http_code}' https://a",
  );
});

it("knows names of machines and ARM IDs", () => {
  expect(
    ["10.0.0.4", "win1000001", "x;id", "-oProxyCommand=id", "a@b", ""].map((one) => hostWord(one)),
  ).toEqual([...["10.0.0.4", "win1000001", "HOST", "HOST", "HOST", "HOST"]]);
  expect(
    ["/subscriptions/a/resourceGroups/b", ".evil.example/x", "@evil.example/x"].map((id) => armIdWord(id)),
  ).toEqual(["/subscriptions/a/resourceGroups/b", "/RESOURCE-ID", "/RESOURCE-ID"]);
});
