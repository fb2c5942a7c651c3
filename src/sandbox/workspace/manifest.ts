import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

const command = z.object({
  command: z.string().startsWith('/'),
  url: z.string().optional(),
  description: z.string().default(''),
  usage_hint: z.string().default(''),
  should_escape: z.boolean().default(false),
});

const shortcut = z.object({
  name: z.string(),
  type: z.enum(['global', 'message']),
  callback_id: z.string(),
  description: z.string().default(''),
});

const parameters = z.object({
  properties: z.record(
    z.string(),
    z.object({
      type: z.string(),
      title: z.string().default(''),
      description: z.string().default(''),
      dynamic_options: z
        .object({ function: z.string(), inputs: z.record(z.string(), z.object({ value: z.string() })) })
        .optional(),
    }),
  ),
  required: z.array(z.string()).optional(),
});

const functionDefinition = z.object({
  title: z.string(),
  description: z.string(),
  input_parameters: parameters,
  output_parameters: parameters,
});

export type Parameters = z.infer<typeof parameters>;
export type FunctionDefinition = z.infer<typeof functionDefinition>;

const manifestSchema = z.object({
  display_information: z.object({ name: z.string() }).loose(),
  features: z.object({
    bot_user: z.object({ display_name: z.string() }).loose(),
    slash_commands: z.array(command).default([]),
    shortcuts: z.array(shortcut).default([]),
    app_home: z
      .object({
        home_tab_enabled: z.boolean().default(false),
        messages_tab_enabled: z.boolean().default(false),
        messages_tab_read_only_enabled: z.boolean().default(false),
      })
      .prefault({}),
  }),
  /** https://docs.slack.dev/ai/slackbot-mcp-client */
  mcp_servers: z.record(z.string(), z.object({ url: z.url(), auth_type: z.string() })).default({}),
  /** `bot` has the optional scopes, too: https://docs.slack.dev/authentication/installing-with-oauth */
  oauth_config: z.object({
    scopes: z.object({ bot: z.array(z.string()), bot_optional: z.array(z.string()).default([]) }),
  }),
  /** https://docs.slack.dev/tools/bolt-js/tutorials/custom-steps */
  functions: z.record(z.string(), functionDefinition).default({}),
  settings: z
    .object({
      event_subscriptions: z
        .object({ bot_events: z.array(z.string()).default([]) })
        .loose()
        .prefault({}),
    })
    .loose()
    .prefault({}),
});

export type Manifest = z.infer<typeof manifestSchema>;

/**
 * Reads an app manifest (https://docs.slack.dev/reference/app-manifest).
 * @throws z.ZodError that names each invalid field
 */
export function readManifest(path: string): Manifest {
  return manifestSchema.parse(parse(readFileSync(path, 'utf8')));
}
