import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { Server, ServerCredentials, status, type handleUnaryCall } from "@grpc/grpc-js";

/**
 * The plugin of Azure/kubernetes-kms with a key in memory instead of a vault: KMS v2 on a socket, with the answers and refusals of
 * its v0.11.0 (pkg/plugin/kms_v2_server.go, keyvault.go). Of the messages (k8s.io/kms v0.35 apis/v2/api.proto), all fields are bytes.
 */

type Fields = Readonly<Record<number, Buffer | string>>;

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];

const write = (fields: Fields): Buffer =>
  Buffer.concat(
    Object.entries(fields).flatMap(([number, value]) => {
      const bytes = Buffer.from(value);
      return [Buffer.from([...varint((Number(number) << 3) | 2), ...varint(bytes.length)]), bytes];
    }),
  );

function read(message: Buffer): Readonly<Record<number, Buffer>> {
  const fields: Record<number, Buffer> = {};
  let at = 0;
  const next = (): number => {
    const byte = message.readUInt8(at++);
    return byte < 128 ? byte : (byte & 127) | (next() << 7);
  };
  while (at < message.length) {
    const number = next() >>> 3;
    const length = next();
    fields[number] = message.subarray(at, at + length);
    at += length;
  }
  return fields;
}

const method = (name: string) => ({
  path: `/v2.KeyManagementService/${name}`,
  ...{ requestStream: false, responseStream: false },
  ...{ requestSerialize: write, requestDeserialize: read },
  ...{ responseSerialize: write, responseDeserialize: read },
});

type Reply = (request: Readonly<Record<number, Buffer>>) => Fields | undefined;

const handler =
  (reply: Reply): handleUnaryCall<Readonly<Record<number, Buffer>>, Fields> =>
  ({ request }, callback) => {
    const fields = reply(request);
    if (fields === undefined) {
      callback({ code: status.UNKNOWN, details: "key id does not match" });
    } else {
      callback(null, fields);
    }
  };

const annotations = write({ 1: "algorithm.azure.akv.io", 2: "RSA-OAEP-256" });

export class KeyVaultStandIn {
  private readonly bytes = randomBytes(32);
  private readonly keyId: string;
  private server: Server | undefined;

  /** @param url - the ID of a version of a key, whose hash the plugin tells the API server */
  constructor(
    private readonly socket: string,
    url: string,
  ) {
    this.keyId = createHash("sha256").update(url).digest("hex");
  }

  async start(): Promise<void> {
    const server = new Server();
    server.addService(
      { status: method("Status"), encrypt: method("Encrypt"), decrypt: method("Decrypt") },
      {
        status: handler(() => ({ 1: "v2", 2: "ok", 3: this.keyId })),
        encrypt: handler(({ 1: plain = Buffer.alloc(0) }) => ({
          ...{ 1: this.seal(plain), 2: this.keyId, 3: annotations },
        })),
        decrypt: handler(({ 1: sealed, 3: keyId, 4: given }) =>
          sealed === undefined || given === undefined || keyId?.toString() !== this.keyId
            ? undefined
            : { 1: this.open(sealed) },
        ),
      },
    );
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix://${this.socket}`, ServerCredentials.createInsecure(), (error) => {
        if (error === null) {
          resolve();
        } else {
          reject(error);
        }
      });
    });
  }

  stop(): void {
    this.server?.forceShutdown();
    this.server = undefined;
  }

  private seal(plain: Buffer): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", this.bytes, nonce);
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  private open(sealed: Buffer): Buffer {
    const cipher = createDecipheriv("aes-256-gcm", this.bytes, sealed.subarray(0, 12));
    cipher.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()]);
  }
}
