import { randomUUID } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Channel, WorkspaceFile } from './model.ts';
import { botUserId, teamId } from './people.ts';
import type { State } from './state.ts';

export type Uploads = ReturnType<typeof createUploads>;

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

/** Uploads in progress, and the content of files. @param baseUrl the base of file URLs */
export function createUploads(state: State, clock: Clock, baseUrl: () => string) {
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
    begin(file: { name: string; length: number; altText?: string | undefined }): { id: string; token: string } {
      const token = randomUUID();
      const id = state.newId('F');
      begun.set(token, { id, ...file });
      return { id, token };
    },
    /** Stores the bytes for an upload token. @returns false when the token is unknown or the length differs */
    receive(token: string, bytes: Buffer): boolean {
      const announced = begun.get(token);
      if (announced === undefined || announced.length !== bytes.length) return false;
      begun.delete(token);
      received.set(announced.id, { name: announced.name, altText: announced.altText, bytes });
      return true;
    },
    complete(id: string, title: string | undefined): WorkspaceFile | undefined {
      const upload = received.get(id);
      if (upload === undefined || state.files.has(id)) return undefined;
      received.delete(id);
      return store({ id, user: botUserId, title, ...upload });
    },
    /** Adds a file of a person. */
    add: (user: string, name: string, bytes: Buffer): WorkspaceFile =>
      store({ id: state.newId('F'), user, name, title: undefined, bytes }),
    bytesOf: (id: string): Buffer | undefined => state.fileBytes.get(id),
  };
}

/** Decodes before it cuts, so that no character is split. */
const beginningOf = (bytes: Buffer): string =>
  bytes
    .subarray(0, previewLength * longestCharacterBytes)
    .toString()
    .slice(0, previewLength);

/** The file object of Slack's API and payloads: https://docs.slack.dev/reference/objects/file-object */
export function filePayload(file: WorkspaceFile): Record<string, unknown> {
  const base = new URL(file.url).origin;
  const path = `${base}/files-pri/${teamId}-${file.id}`;
  const name = encodeURIComponent(file.name.toLowerCase());
  const extension = extensionOf(file.name);
  return {
    id: file.id,
    created: file.created,
    timestamp: file.created,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    filetype: extension,
    pretty_type: extension.toUpperCase(),
    user: file.user,
    user_team: teamId,
    editable: false,
    size: file.size,
    mode: 'hosted',
    is_external: false,
    external_type: '',
    is_public: file.channels.some((id) => id.startsWith('C')),
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    url_private: `${path}/${name}`,
    url_private_download: `${path}/download/${name}`,
    media_display_type: 'unknown',
    permalink: file.url,
    has_rich_preview: false,
    file_access: 'visible',
  };
}

/**
 * What a payload says of a file in a channel that another company shares: nothing but its id, which `files.info` takes.
 * https://docs.slack.dev/reference/events/message/file_share
 */
export const uncheckedFile = (file: WorkspaceFile): Record<string, unknown> => ({
  id: file.id,
  created: 0,
  timestamp: 0,
  user: '',
  mode: 'file_access',
  file_access: 'check_file_info',
});

export const isShared = (channel: Channel): boolean => (channel.sharedWith ?? []).length > 0;

/** The extension of a file name, in lower case and without the dot. */
const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
