import * as z from 'zod';

/*
 * The rules that Slack publishes for the parts of an app manifest that this app uses:
 * https://github.com/slackapi/manifest-schema, schemas/manifest.schema.2.0.0.json at 085a104, and
 * https://docs.slack.dev/reference/app-manifest. No maintained npm package carries the schema, so the app's
 * own rules are here; where the two sources differ, the stricter one applies. Other parts are refused until their rules
 * are added.
 */

const url = z.string().regex(/^https?:\/\//);
const text = (max: number, min = 1) => z.string().min(min).max(max);
const names = (max: number) =>
  z
    .array(z.string().max(50))
    .max(max)
    .refine((all) => new Set(all).size === all.length, 'has no duplicates');

const parameters = z
  .strictObject({
    properties: z
      .record(
        z.string(),
        z.strictObject({
          type: z.enum([
            'integer',
            'number',
            'boolean',
            'string',
            'slack#/types/user_context',
            'slack#/types/user_id',
            'slack#/types/timestamp',
            'slack#/types/options_select',
          ]),
          title: text(255),
          description: text(255).optional(),
          dynamic_options: z
            .strictObject({
              function: z.string().startsWith('#/functions/'),
              inputs: z.record(z.string(), z.strictObject({ value: z.string() })),
            })
            .optional(),
        }),
      )
      .refine((all) => Object.keys(all).length <= 50, 'has at most 50'),
    required: z.array(z.string()).optional(),
  })
  .refine(({ properties, required = [] }) => required.every((name) => name in properties), 'requires what it has');

export const manifestSchema = z.strictObject({
  _metadata: z.strictObject({ major_version: z.literal(2), minor_version: z.int() }),
  display_information: z.strictObject({
    name: text(35),
    description: text(140).optional(),
    long_description: text(4_000, 175).optional(),
    background_color: z
      .string()
      .regex(/^#(?:[0-9a-f]{3}){1,2}$/i)
      .optional(),
  }),
  features: z.strictObject({
    app_home: z
      .strictObject({
        home_tab_enabled: z.boolean().optional(),
        messages_tab_enabled: z.boolean().optional(),
        messages_tab_read_only_enabled: z.boolean().optional(),
      })
      .optional(),
    bot_user: z.strictObject({ display_name: text(80), always_online: z.boolean().optional() }),
    slash_commands: z
      .array(
        z.strictObject({
          command: text(32, 2).startsWith('/'),
          url: url.max(3_000).optional(),
          description: text(2_000),
          usage_hint: text(1_000).optional(),
          should_escape: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(50),
    shortcuts: z
      .array(
        z.strictObject({
          name: text(24),
          type: z.enum(['message', 'global']),
          callback_id: text(255),
          description: text(150),
        }),
      )
      .min(1)
      .max(10),
  }),
  oauth_config: z.strictObject({
    scopes: z
      .strictObject({ bot: names(255), bot_optional: names(255).optional() })
      // “Optional scopes must also be listed in the corresponding bot or user fields”:
      // https://docs.slack.dev/authentication/installing-with-oauth
      .refine(({ bot, bot_optional = [] }) => bot_optional.every((scope) => bot.includes(scope)), 'is in bot, too'),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({ request_url: url.max(3_500).optional(), bot_events: names(100) }),
    interactivity: z.strictObject({
      is_enabled: z.boolean(),
      request_url: url.max(3_500).optional(),
      message_menu_options_url: url.max(3_500).optional(),
    }),
    org_deploy_enabled: z.boolean().optional(),
    function_runtime: z.literal('remote').optional(),
    socket_mode_enabled: z.boolean().optional(),
    token_rotation_enabled: z.boolean().optional(),
  }),
  // https://docs.slack.dev/tools/bolt-js/tutorials/custom-steps; `dynamic_options` is in the documentation alone.
  functions: z
    .record(
      z.string().max(100),
      z.strictObject({
        title: text(255),
        description: z.string(),
        input_parameters: parameters,
        output_parameters: parameters,
      }),
    )
    .refine((all) => Object.keys(all).length <= 50, 'has at most 50')
    .optional(),
  // https://github.com/slackapi/slack-cli/pull/580
  mcp_servers: z
    .record(
      z.string(),
      z.strictObject({
        url: z
          .string()
          .regex(/^https:\/\//)
          .max(3_000),
        auth_type: z.enum(['no_auth', 'slack_identity_auth', 'manual_auth', 'dynamic_client_registration']),
      }),
    )
    .optional(),
});
