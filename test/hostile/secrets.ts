/** Secrets of the configuration: nobody may read any of them. */
export const secrets = {
  botToken: 'xoxb-hostile-canary-of-the-token',
  signingSecret: 'canary-of-the-signing-secret',
  apiKey: 'canary-of-the-api-key',
  webhookSecret: 'canary-of-the-webhook-secret',
} as const;
