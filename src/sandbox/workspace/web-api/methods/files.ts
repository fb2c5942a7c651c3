import { z } from 'zod';
import { findOpenConversation } from './conversations.ts';
import { ApiError, type Method, method } from '../method.ts';
import type { Core } from '../../core.ts';
import { filePayload } from '../../uploads.ts';
import { limits } from '../../limits.ts';
import { postAsBot } from '../../messages.ts';
import type { Channel, WorkspaceFile } from '../../model.ts';
import { botUserId } from '../../people.ts';
import { readBlocks } from './chat.ts';

const filesSchema = z.array(z.looseObject({ id: z.string(), title: z.string().optional() })).min(1);

const fileRef = (file: { id: string; title: string }) => ({ id: file.id, title: file.title });

/** The bot reads its own files, those of its file inputs, and those in conversations that it is in. */
export const mayBotRead = (core: Core, file: WorkspaceFile): boolean =>
  file.user === botUserId ||
  file.isForBot === true ||
  file.channels.some((id) => core.state.channels.get(id)?.members.includes(botUserId));

/** The three steps of an upload: https://docs.slack.dev/messaging/working-with-files#upload */
export const files: Record<string, Method> = {
  'files.getUploadURLExternal': method(4, ['files:write'], (core, args) => {
    const length = Number(args.required('length'));
    if (!Number.isInteger(length) || length <= 0) throw new ApiError('invalid_arguments');
    const altText = args.text('alt_txt');
    if (altText !== undefined && altText.length > limits.fileAltText.max) throw new ApiError('alt_txt_too_large');
    const { id, token } = core.uploads.begin({
      name: args.required('filename'),
      length,
      ...(altText !== undefined && { altText }),
    });
    return { upload_url: `${core.baseUrl()}/upload/${token}`, file_id: id };
  }),
  'files.completeUploadExternal': method(4, ['files:write'], (core, args) => {
    const parsed = filesSchema.safeParse(args.json('files'));
    if (!parsed.success) throw new ApiError('invalid_arguments');
    const channelIds = [args.text('channel_id') ?? '', ...(args.text('channels') ?? '').split(',')].filter(
      (id) => id !== '',
    );
    const targets = channelIds.map((id) => findOpenConversation(core, id));
    const completed = parsed.data.map(({ id, title }) => {
      const file = core.uploads.complete(id, title);
      if (file === undefined) throw new ApiError('file_not_found');
      file.channels.push(...targets.map((channel) => channel.id));
      return file;
    });
    const threadTs = args.text('thread_ts');
    const comment = args.text('initial_comment') ?? '';
    // “If the initial_comment field is provided, the blocks field is ignored.”
    // https://docs.slack.dev/reference/methods/files.completeUploadExternal
    const blocks = comment === '' ? readBlocks(core, args) : undefined;
    for (const channel of targets)
      postAsBot(core.state, {
        channel: channel.id,
        text: comment,
        ...(blocks !== undefined && { blocks }),
        files: completed,
        ...(threadTs !== undefined && { threadTs }),
      });
    return { files: completed.map(fileRef) };
  }),
  'files.info': method(4, ['files:read'], (core, args) => {
    const file = core.state.files.get(args.required('file'));
    if (file === undefined || !mayBotRead(core, file)) throw new ApiError('file_not_found');
    const shared = file.channels.flatMap((id) => core.state.channels.get(id) ?? []);
    const ids = (kind: Channel['kind']) => shared.filter((channel) => channel.kind === kind).map(({ id }) => id);
    return {
      file: {
        ...filePayload(file),
        channels: ids('public'),
        groups: ids('private'),
        ims: ids('im'),
        comments_count: 0,
      },
      comments: [],
      response_metadata: { next_cursor: '' },
    };
  }),
};
