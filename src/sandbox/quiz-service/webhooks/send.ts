import { Agent, request } from 'undici';

export interface WebhookCall {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Posts a call. @returns the status of the answer. @throws when there is none in time */
export type SendWebhook = (call: WebhookCall, signal: AbortSignal) => Promise<number>;

export const webhookTimeoutMs = 10_000;

export function createWebhookSender(): { send: SendWebhook; close: () => Promise<void> } {
  const agent = new Agent({ connect: { timeout: webhookTimeoutMs }, pipelining: 1, connections: 32 });
  return {
    async send({ url, headers, body }, signal) {
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'quiz-service-webhook/1', ...headers },
        body,
        dispatcher: agent,
        signal: AbortSignal.any([signal, AbortSignal.timeout(webhookTimeoutMs)]),
      });
      await answer.body.dump();
      return answer.statusCode;
    },
    close: () => agent.destroy(),
  };
}
