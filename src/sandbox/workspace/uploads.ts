import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import { extensionOf } from './file-payload.ts';
import type { WorkspaceFile } from './model.ts';
import { botUserId } from './people.ts';
import type { State } from './state.ts';

/** Uploads in progress, and the content of files. */
export interface Uploads {
  begin(file: { name: string; length: number; altText?: string | undefined }): { id: string; token: string };
  /** Stores the bytes for an upload token. @returns false when the token is unknown or the length differs */
  receive(token: string, bytes: Buffer): boolean;
  complete(id: string, title: string | undefined): WorkspaceFile | undefined;
  /** Adds a file of a person. */
  add(user: string, name: string, bytes: Buffer): WorkspaceFile;
  bytesOf(id: string): Buffer | undefined;
}

const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  pdf: 'application/pdf',
};
const previewLength = 600;
const longestCharacterBytes = 4;

/** @param baseUrl the base of file URLs */
export function createUploads(state: State, clock: Clock, baseUrl: () => string): Uploads {
  const begun = new Map<string, { id: string; name: string; length: number; altText?: string | undefined }>();
  const received = new Map<string, { name: string; altText?: string | undefined; bytes: Buffer }>();

  function store(file: {
    id: string;
    user: string;
    name: string;
    title: string | undefined;
    altText?: string | undefined;
    bytes: Buffer;
  }): WorkspaceFile {
    const mimetype = types[extensionOf(file.name)] ?? 'application/octet-stream';
    const stored: WorkspaceFile = {
      id: file.id,
      name: file.name,
      title: file.title ?? file.name,
      mimetype,
      size: file.bytes.length,
      user: file.user,
      created: Math.floor(clock.now() / 1000),
      url: `${baseUrl()}/files/${file.id}`,
      channels: [],
      ...(file.altText !== undefined && { altText: file.altText }),
      ...(/^text\/|json$/.test(mimetype) && { preview: beginningOf(file.bytes) }),
    };
    state.files.set(file.id, stored);
    state.fileBytes.set(file.id, file.bytes);
    return stored;
  }

  return {
    begin(file) {
      const token = randomUUID();
      const id = state.newId('F');
      begun.set(token, { id, ...file });
      return { id, token };
    },
    receive(token, bytes) {
      const announced = begun.get(token);
      if (announced === undefined || announced.length !== bytes.length) return false;
      begun.delete(token);
      received.set(announced.id, { name: announced.name, altText: announced.altText, bytes });
      return true;
    },
    complete(id, title) {
      const upload = received.get(id);
      if (upload === undefined || state.files.has(id)) return undefined;
      received.delete(id);
      return store({ id, user: botUserId, title, ...upload });
    },
    add: (user, name, bytes) => store({ id: state.newId('F'), user, name, title: undefined, bytes }),
    bytesOf: (id) => state.fileBytes.get(id),
  };
}

/** Decodes before it cuts, so that no character is split. */
const beginningOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, previewLength * longestCharacterBytes)
    .toString()
    .slice(0, previewLength);
