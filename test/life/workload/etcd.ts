import type { sendUnaryData, ServerUnaryCall } from "@grpc/grpc-js";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { BinaryReader, BinaryWriter } from "google-protobuf";
import { type KeyPair, serverCertificate } from "../support/certificates";

export interface Member {
  readonly id: number;
  /** Name of the node. */
  readonly name: string;
}

/** The members of an etcd without data. */
export interface Membership {
  readonly members: () => readonly Member[];
  /** ID of the leader. */
  readonly leader: () => number;
  readonly moveLeader: (id: number) => void;
  readonly remove: (id: number) => void;
}

type Write = (writer: BinaryWriter) => void;

function message(write: Write): Buffer {
  const writer = new BinaryWriter();
  write(writer);
  return Buffer.from(writer.getResultBuffer());
}

const header: Write = (writer) => {
  writer.writeBytes(
    1,
    message((inner) => {
      inner.writeUint64(1, 1);
      inner.writeUint64(4, 2);
    }),
  );
};

const memberList =
  ({ members }: Membership): Write =>
  (writer) => {
    header(writer);
    for (const { id, name } of members()) {
      writer.writeBytes(
        2,
        message((inner) => {
          inner.writeUint64(1, id);
          inner.writeString(2, name);
          inner.writeRepeatedString(3, [`https://${name}:2380`]);
          inner.writeRepeatedString(4, [`https://${name}:2379`]);
        }),
      );
    }
  };

/** The ID in the first field of a request. */
function idOf(request: Buffer): number {
  const reader = new BinaryReader(request);
  return reader.nextField() && reader.getFieldNumber() === 1 ? reader.readUint64() : 0;
}

type Method = (request: Buffer, membership: Membership) => Write;

/**
 * The calls of etcd's API that the control plane provider makes. Field numbers:
 * https://etcd.io/docs/v3.6/dev-guide/api_reference_v3/
 */
const methods: Readonly<Record<string, Method>> = {
  "/etcdserverpb.Cluster/MemberList": (_, membership) => memberList(membership),
  "/etcdserverpb.Cluster/MemberRemove": (request, membership) => {
    membership.remove(idOf(request));
    return memberList(membership);
  },
  "/etcdserverpb.Maintenance/Alarm": () => header,
  "/etcdserverpb.Maintenance/MoveLeader": (request, membership) => {
    membership.moveLeader(idOf(request));
    return header;
  },
  "/etcdserverpb.Maintenance/Status":
    (_, { leader }) =>
    (writer) => {
      header(writer);
      writer.writeString(2, "3.6.0");
      writer.writeInt64(3, 1_000_000);
      writer.writeUint64(4, leader());
      writer.writeUint64(5, 10);
      writer.writeUint64(6, 2);
    },
};

const bytes = (buffer: Buffer): Buffer => buffer;

/** One server answers for all members, because its answers do not depend on the member. */
export class Etcd {
  private readonly server = new Server();
  port = 0;

  constructor(
    private readonly authority: KeyPair,
    private readonly membership: Membership,
  ) {}

  async listen(): Promise<void> {
    for (const [path, method] of Object.entries(methods)) {
      const handler = (call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>): void => {
        done(null, message(method(call.request, this.membership)));
      };
      this.server.register(path, handler, bytes, bytes, "unary");
    }
    const { cert, key } = serverCertificate(this.authority, ["etcd", "127.0.0.1"]);
    const credentials = ServerCredentials.createSsl(
      Buffer.from(this.authority.cert),
      [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }],
      true,
    );
    this.port = await new Promise<number>((resolve, reject) => {
      this.server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
        if (error) {
          reject(error);
        } else {
          resolve(port);
        }
      });
    });
  }

  close(): void {
    this.server.forceShutdown();
  }
}
