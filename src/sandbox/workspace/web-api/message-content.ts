import { z } from 'zod';
import { ApiError, type Arguments } from './method.ts';
import type { Block } from '../block-kit/blocks.ts';
import { checkBlocks, identify } from '../block-kit/validate.ts';
import { type Core, unknownTypes } from '../core.ts';
import { limits } from '../limits.ts';
import type { Metadata } from '../model.ts';

const metadataSchema = z.strictObject({
  event_type: z.string().min(1),
  event_payload: z.record(z.string(), z.unknown()),
});

export interface Content {
  text: string;
  blocks?: Block[];
  metadata?: Metadata;
}

/** The checked `text`, `blocks` and `metadata` of chat.* */
export function readContent(core: Core, args: Arguments): Content {
  const text = args.text('text') ?? args.text('markdown_text') ?? '';
  const blocks = readBlocks(core, args);
  if (text === '' && blocks === undefined) throw new ApiError('no_text');
  if (text.length > limits.messageText.max) throw new ApiError('msg_too_long');
  const metadata = readMetadata(args);
  return { text, ...(blocks !== undefined && { blocks }), ...(metadata !== undefined && { metadata }) };
}

function readBlocks(core: Core, args: Arguments): Block[] | undefined {
  const given = args.json('blocks', 'invalid_blocks_format');
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return undefined;
  if (!Array.isArray(given)) throw new ApiError('invalid_blocks_format');
  const checked = checkBlocks(given, { surface: 'message', unknownTypes: unknownTypes(core) });
  if (checked.errors !== undefined)
    throw new ApiError('invalid_blocks', {
      errors: checked.errors,
      response_metadata: { messages: checked.errors.map((message) => `[ERROR] ${message}`) },
    });
  return identify(checked.value, () => core.state.newId('b'));
}

function readMetadata(args: Arguments): Metadata | undefined {
  const given = args.json('metadata', 'invalid_metadata_format');
  if (given === undefined) return undefined;
  const parsed = metadataSchema.safeParse(given);
  if (!parsed.success) throw new ApiError('invalid_metadata_format');
  if (Buffer.byteLength(JSON.stringify(given)) > limits.messageMetadataBytes.max)
    throw new ApiError('metadata_too_large');
  return parsed.data;
}
