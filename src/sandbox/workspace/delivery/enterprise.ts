import type { Enterprise } from '../model.ts';

/**
 * Adds what payloads carry in an Enterprise organization. Where the app is installed for the whole organization, views
 * and global shortcuts name no workspace.
 * https://docs.slack.dev/enterprise/developing-for-enterprise-orgs#updated-apis
 */
export function inEnterprise(
  payload: Record<string, unknown>,
  enterprise: Enterprise | undefined,
): Record<string, unknown> {
  if (enterprise === undefined) return payload;
  const { id, name, isInstalledForAll: isInstall } = enterprise;
  if ('command' in payload)
    return { ...payload, enterprise_id: id, enterprise_name: name, is_enterprise_install: String(isInstall) };
  if (payload['type'] === 'event_callback') {
    const authorizations = [
      {
        ...firstOf(payload['authorizations']),
        enterprise_id: id,
        is_enterprise_install: isInstall,
        ...(isInstall && { team_id: null }),
      },
    ];
    return {
      ...payload,
      enterprise_id: id,
      authorizations,
      ...(isInstall && { context_team_id: null, context_enterprise_id: id }),
    };
  }
  const namesNoTeam = isInstall && ['shortcut', 'view_submission', 'view_closed'].includes(String(payload['type']));
  return {
    ...payload,
    ...(namesNoTeam && { team: null }),
    enterprise: { id, name },
    is_enterprise_install: isInstall,
  };
}

const firstOf = (list: unknown): object => (Array.isArray(list) ? Object(list[0]) : {});
