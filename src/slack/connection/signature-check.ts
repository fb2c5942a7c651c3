import type { IncomingMessage } from 'node:http';
import { verifySlackRequest } from '@slack/bolt';

/** How far a signed timestamp may lie in the future. Bolt applies the same limit to the past. */
const toleranceS = 5 * 60;

/** Signature headers are missing, the timestamp is more than 5 minutes away, or the signature is another one. */
export type SignatureRefusal = 'unsigned' | 'timestamp' | 'signature';

/** Whether Slack signed a request: https://docs.slack.dev/authentication/verifying-requests-from-slack */
interface SignatureCheck {
  /** What the headers alone tell; undefined if the body has to decide. */
  refusalByHead(request: IncomingMessage): SignatureRefusal | undefined;
  /** Compares in constant time. Call it for a request that `refusalByHead` lets through. */
  refusalByBody(request: IncomingMessage, body: string): SignatureRefusal | undefined;
}

export function createSignatureCheck({
  signingSecret,
  now,
}: {
  signingSecret: string;
  now: () => number;
}): SignatureCheck {
  return {
    refusalByHead(request) {
      const timestamp = headerOf(request, 'x-slack-request-timestamp');
      if (headerOf(request, 'x-slack-signature') === undefined || timestamp === undefined) return 'unsigned';
      const awayS = Math.abs(now() / 1000 - Number(timestamp));
      return awayS <= toleranceS ? undefined : 'timestamp';
    },
    refusalByBody(request, body) {
      const headers = {
        'x-slack-signature': headerOf(request, 'x-slack-signature') ?? '',
        'x-slack-request-timestamp': Number(headerOf(request, 'x-slack-request-timestamp')),
      };
      try {
        verifySlackRequest({ signingSecret, body, headers, nowMilliseconds: now() });
        return undefined;
      } catch {
        return 'signature';
      }
    },
  };
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
