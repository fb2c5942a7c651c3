import type { WebClient } from '@slack/web-api';
import { clip } from '../../domain/short-name.ts';
import { callSlack, slackCodeOf } from '../errors.ts';

/** Ends a run. Options are an output that no step has. @throws {PlatformError} */
export type CompleteFunction = (
  executionId: string,
  ending: { kind: 'success'; outputs: Readonly<Record<string, unknown>> } | { kind: 'error'; message: string },
) => Promise<'ended' | 'gone'>;

/**
 * The run has ended, or Slack no longer has it, such as after its workflow was deleted: Slack documents no event for that.
 * https://docs.slack.dev/reference/methods/functions.completeSuccess#errors
 */
const goneCodes: ReadonlySet<string> = new Set(['execution_not_in_running_state', 'function_execution_not_found']);

/** Slack names no limit; its notice of a failed step shows a few lines. */
const longestError = 500;

/**
 * Ends runs of functions with the bot’s own token. The token in the event is revoked soon after it, and a run can end days
 * later: https://github.com/slackapi/bolt-js/issues/2288
 */
export function createComplete(client: Pick<WebClient, 'functions'>): CompleteFunction {
  return async (executionId, ending) => {
    try {
      await callSlack(async () =>
        ending.kind === 'success'
          ? client.functions.completeSuccess({ function_execution_id: executionId, outputs: { ...ending.outputs } })
          : client.functions.completeError({
              function_execution_id: executionId,
              error: clip(ending.message, longestError),
            }),
      );
      return 'ended';
    } catch (error) {
      if (goneCodes.has(slackCodeOf(Object(error).cause) ?? '')) return 'gone';
      throw error;
    }
  };
}
