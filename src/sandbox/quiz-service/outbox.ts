import { type Database, formatDate } from './database.ts';

export interface WelcomeMail {
  recipient: string;
  userName: string;
  firstName: string;
  password: string;
}

interface Mail {
  mail_id: string;
  date_sent: string;
  recipient: string;
  subject: string;
  /** Without the password. */
  text: string;
}

const keptMails = 200;

function addMail(database: Database, mail: Mail): void {
  database.run('INSERT INTO mails (mail_id, date_sent, recipient, subject, text) VALUES (?, ?, ?, ?, ?)', [
    mail.mail_id,
    mail.date_sent,
    mail.recipient,
    mail.subject,
    mail.text,
  ]);
  database.run('DELETE FROM mails WHERE seq <= (SELECT max(seq) FROM mails) - ?', [keptMails]);
}

/** Newest first. */
function listMails(database: Database): Mail[] {
  return database.all('SELECT mail_id, date_sent, recipient, subject, text FROM mails ORDER BY seq DESC');
}

/**
 * Collects welcome e-mails instead of sending them. Passwords stay in memory until the owner has seen them once
 * or the service stops. The database never contains them.
 */
export interface Outbox {
  send: (mail: WelcomeMail) => void;
  /** Newest first. */
  list: () => (Mail & { hasPassword: boolean })[];
  /** @returns undefined when the password was taken before */
  takePassword: (mailId: string) => string | undefined;
}

/** Keeps the last 200 e-mails. */
export function openOutbox(database: Database, now: () => number, newId: () => string): Outbox {
  const passwords = new Map<string, string>();
  return {
    send({ recipient, userName, firstName, password }) {
      const mailId = newId();
      addMail(database, {
        mail_id: mailId,
        date_sent: formatDate(now()),
        recipient,
        subject: 'Welcome to your quiz account',
        text: `Hello ${firstName || userName}, your quiz account is ready. Your login name is ${userName}.`,
      });
      passwords.set(mailId, password);
      const [oldest] = passwords.keys();
      if (oldest !== undefined && passwords.size > keptMails) passwords.delete(oldest);
    },
    list: () => listMails(database).map((mail) => ({ ...mail, hasPassword: passwords.has(mail.mail_id) })),
    takePassword(mailId) {
      const password = passwords.get(mailId);
      passwords.delete(mailId);
      return password;
    },
  };
}
