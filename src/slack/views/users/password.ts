import type { KnownBlock, ModalView } from '@slack/types';
import type { PasswordOffer } from '../../../domain/approval-request.ts';
import type { ShownPassword } from '../../../governance/passwords/passwords.ts';
import { textMessage, type Message } from '../blocks/message.ts';
import { context, md, mention, notification, plain, section, shortName } from '../blocks/mrkdwn.ts';

/** The action ID of **Show password**. The button's value is the user's ID and nothing else. */
export const showPasswordActionId = 'show-password';

type Offered = Pick<PasswordOffer, 'userId' | 'name'>;

/** Explains **Show password**, with the button. */
export function passwordOfferBlocks({ userId, name }: Offered): KnownBlock[] {
  return [
    section(
      md`🔑 Press *Show password* to set a new password for *${shortName(name)}*. Only you can see it, and any earlier one stops working.`,
    ),
    passwordButton(userId),
  ];
}

/** The direct message with **Show password**. */
export function passwordOfferMessage(offer: Offered): Message {
  return { text: notification(md`🔑 Set a password for ${shortName(offer.name)}`), blocks: passwordOfferBlocks(offer) };
}

/** Offers a person the password of the user that was created for them. */
export function ownPasswordMessage({ userId, by }: { userId: string; by: string }): Message {
  const text = md`🔑 ${mention(by)} created a user for you in the quiz account. Press *Show password* to set your password and see it. Only you can.`;
  return { text: notification(text), blocks: [section(text), passwordButton(userId)] };
}

/** Says why no password was shown, with the button to try again. */
export function passwordSorryMessage(userId: string, sentence: string): Message {
  const sorry = textMessage('⚠️', sentence);
  return { text: sorry.text, blocks: [...sorry.blocks, passwordButton(userId)] };
}

/** Shown until the quiz service has the new password. */
export function passwordWaitingView(): ModalView {
  return modal(textMessage('⏳', 'Setting a new password…').blocks);
}

/** The one place where a password is shown, or why there is none. */
export function passwordView(shown: ShownPassword): ModalView {
  if (shown.kind === 'refused') return modal(textMessage('🚫', shown.message).blocks);
  if (shown.kind !== 'shown') return modal(textMessage('⚠️', shown.message).blocks);
  const { name, userName, password } = shown;
  return modal([
    section(md`*${shortName(name)}* signs in as \`${shortName(userName)}\` with this password:`),
    section(md`\`${password}\``),
    context(
      md`You can’t see it again after you close this. Give it to nobody else. To set another one, press *Show password* in our direct messages.`,
    ),
  ]);
}

function passwordButton(userId: string): KnownBlock {
  return {
    type: 'actions',
    elements: [{ type: 'button', action_id: showPasswordActionId, text: plain('Show password', 75), value: userId }],
  };
}

function modal(blocks: KnownBlock[]): ModalView {
  return { type: 'modal', title: plain('New password', 24), close: plain('Close', 24), blocks };
}
