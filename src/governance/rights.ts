import type { Actor, Nobody } from '../directory/identity.ts';
import type { PlatformWords, Right } from '../operations/context.ts';

const flags = ['edit_quizzes', 'manage_users', 'manage_groups'] as const;
const everyRight: readonly Right[] = ['known', 'staff', ...flags, 'administrator'];

/**
 * The rights of a person in the quiz account (specification 2.4). The flags apply to trainers and administrators alike,
 * so an administrator without a flag lacks that right. A user of any other type has no flag, and a suspended user has no
 * right. An owner has every right.
 */
export function rightsOf(actor: Actor): ReadonlySet<Right> {
  if (actor.isOwner) return new Set(everyRight);
  const { user } = actor;
  if (user === undefined || user.suspended) return new Set();
  const ofStaff: readonly Right[] = ['known', 'staff', ...flags.filter((flag) => user[flag])];
  if (user.user_type === 'administrator') return new Set([...ofStaff, 'administrator']);
  if (user.user_type === 'trainer') return new Set(ofStaff);
  return new Set(['known']);
}

/** Says why the actor lacks the right, and what they can do about it. Plain text. */
export function denialMessage(actor: Actor, right: Right, platform: PlatformWords): string {
  if (actor.nobody) return whyNobody(actor.nobody, platform);
  if (actor.user?.suspended) return 'Your quiz account user is suspended. An administrator of the quiz account can reinstate it.';
  return whatItTakes[right];
}

function whyNobody(reason: Nobody, { name }: PlatformWords): string {
  switch (reason) {
    case 'guest':
      return 'Guests of this workspace cannot use the quiz account. Ask a full member to do this.';
    case 'stranger':
      return 'You belong to another workspace, so you cannot use this quiz account.';
    case 'bot':
      return 'Bots cannot use the quiz account.';
    case 'deactivated':
      return `Your ${name} account is deactivated, so it cannot use the quiz account.`;
    case 'no e-mail address':
      return `${name} does not tell the bot your e-mail address, so it cannot tell who you are in the quiz account. Add one to your ${name} profile.`;
    case 'unconfirmed e-mail address':
      return `You haven’t confirmed your ${name} e-mail address, so the bot can’t tell who you are in the quiz account. Confirm it in ${name}, then try again in 10 minutes.`;
    case 'no quiz user':
      return `Nobody in the quiz account has your ${name} e-mail address. Ask an administrator of the quiz account to create a user with it.`;
    case 'several quiz users':
      return `Several users of the quiz account have your ${name} e-mail address, so the bot cannot tell which one you are. Ask an administrator to give one of them your address as user name.`;
  }
}

const whatItTakes: Record<Right, string> = {
  known: 'Only users of the quiz account can do this.',
  staff: 'Only trainers and administrators can do this.',
  edit_quizzes: 'You need the right to edit quizzes for this. An administrator of the quiz account can give it to you.',
  manage_users: 'You need the right to manage users for this. An administrator of the quiz account can give it to you.',
  manage_groups: 'You need the right to manage groups for this. An administrator of the quiz account can give it to you.',
  administrator: 'Only administrators of the quiz account can do this.',
};
