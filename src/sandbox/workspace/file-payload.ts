import type { Channel, WorkspaceFile } from './model.ts';
import { teamId } from './people.ts';

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
export const extensionOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
