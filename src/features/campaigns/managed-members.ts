import type { Campaign, CampaignMember } from '../../domain/campaign.ts';
import type { FoundManagers } from '../../domain/managers.ts';
import { openPeople } from '../../obligations/people.ts';

/** The members who are late by the time after which a campaign escalates; none where it never does. */
export function lateMembers(campaign: Campaign, now: number): CampaignMember[] {
  const { escalateAfterMs } = campaign.rule;
  if (escalateAfterMs === null) return [];
  return openPeople(campaign, now)
    .filter(({ obligation: { dueAt = Infinity } }) => dueAt + escalateAfterMs <= now)
    .map(({ member }) => member);
}

/** Who gets the names of late members. */
export interface SplitEscalation {
  byManager: ReadonlyMap<string, readonly CampaignMember[]>;
  /** They have no manager on the platform, or one who says that they are not theirs. */
  toLeads: readonly CampaignMember[];
}

/** @param managers undefined: the campaign escalates to its leads alone */
export function splitEscalation(
  late: readonly CampaignMember[],
  managers: FoundManagers['managers'] | undefined,
): SplitEscalation {
  const byManager = Map.groupBy(late, ({ personId, notReportOf }) => {
    const managerId = personId === null ? undefined : managers?.get(personId);
    return managerId === undefined || managerId === null || managerId === personId || notReportOf.includes(managerId)
      ? null
      : managerId;
  });
  const toLeads = byManager.get(null) ?? [];
  byManager.delete(null);
  return { byManager: byManager as ReadonlyMap<string, readonly CampaignMember[]>, toLeads };
}

/** The late members of a manager, by the manager. */
export function lateByManager(campaign: Campaign, now: number): ReadonlyMap<string, readonly CampaignMember[]> {
  const managed = lateMembers(campaign, now).flatMap((member) =>
    member.managerId === null ? [] : [{ member, managerId: member.managerId }],
  );
  const groups = Map.groupBy(managed, ({ managerId }) => managerId);
  return new Map([...groups].map(([managerId, own]) => [managerId, own.map(({ member }) => member)]));
}

/** From then on, the leads get the name. */
export function notReport(member: CampaignMember, by: string): CampaignMember {
  const { managerId, notReportOf } = member;
  return {
    ...member,
    managerId: managerId === by ? null : managerId,
    notReportOf: [...new Set([...notReportOf, by])],
  };
}

export function reportAfterAll(member: CampaignMember, by: string): CampaignMember {
  const { notReportOf } = member;
  if (!notReportOf.includes(by)) return member;
  return { ...member, managerId: by, notReportOf: notReportOf.filter((personId) => personId !== by) };
}
