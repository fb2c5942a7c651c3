import { type CommandLine, parseCommandLine as parse } from '../../src/operations/line/line.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { readMarkup } from '../../src/slack/in/delivery.ts';

/** Reads what was typed after a slash command, as Slack delivers it. */
export const parseCommandLine = (operations: readonly Operation[], command: string, text: string): CommandLine =>
  parse(operations, command, text, readMarkup);
