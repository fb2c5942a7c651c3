/** A response, actual or expected: the status, and the body with the model's ids. */
export interface ModelAnswer {
  status: number;
  body: unknown;
}

interface ModelQuiz {
  quiz_id: string;
  name: string;
  status: string;
  date_created: string;
}

interface ModelUser {
  user_id: string;
  user_name: string;
  user_type: string;
  email_address: string;
  first_name: string;
  last_name: string;
  organization: string;
  notes: string;
  time_zone: string;
  suspended: boolean;
  manage_users: boolean;
  manage_groups: boolean;
  edit_quizzes: boolean;
  date_created: string;
}

interface Group {
  group_id: string;
  group_name: string;
}

const okAnswer: ModelAnswer = { status: 200, body: { message: '200: OK' } };
const notFound: ModelAnswer = { status: 404, body: undefined };
const unprocessable: ModelAnswer = { status: 422, body: undefined };

/**
 * A reference model of the account as plain lists. It follows the specification and the decisions in the
 * service's README, and shares no code with the service. It does not model error bodies.
 */
export class AccountModel {
  readonly quizzes: ModelQuiz[] = [];
  readonly users: ModelUser[] = [];
  readonly #groups: readonly Group[];
  readonly #date: () => string;
  /** In the order of assignment. */
  #userQuizzes: { user_id: string; quiz_id: string; date_assigned: string }[] = [];
  #userGroups: { user_id: string; group_id: string }[] = [];
  #quizGroups: { quiz_id: string; group_id: string }[] = [];

  constructor(groups: readonly Group[], date: () => string) {
    this.#groups = groups;
    this.#date = date;
  }

  listQuizzes(): ModelAnswer {
    return { status: 200, body: this.quizzes };
  }

  getQuiz(quizId: string): ModelAnswer {
    const quiz = this.#quiz(quizId);
    return quiz ? { status: 200, body: quiz } : notFound;
  }

  /** @param newId the id that the service assigned, if the call creates something */
  createQuiz(form: Record<string, string>, newId: string): ModelAnswer {
    const { name } = form;
    if (name === undefined || name.trim() === '') return unprocessable;
    this.quizzes.push({ quiz_id: newId, name, status: 'in_design', date_created: this.#date() });
    return { status: 200, body: { quiz_id: newId } };
  }

  copyQuiz(quizId: string, form: Record<string, string>, newId: string): ModelAnswer {
    const source = this.#quiz(quizId);
    return source ? this.createQuiz({ name: `Copy of ${source.name}`, ...form }, newId) : notFound;
  }

  updateQuiz(quizId: string, form: Record<string, string>): ModelAnswer {
    const quiz = this.#quiz(quizId);
    if (!quiz) return notFound;
    if (form['name']?.trim() === '') return unprocessable;
    if (form['status'] !== undefined && !['open', 'closed'].includes(form['status'])) return unprocessable;
    Object.assign(quiz, form);
    return okAnswer;
  }

  deleteQuiz(quizId: string): ModelAnswer {
    const quiz = this.#quiz(quizId);
    if (!quiz) return notFound;
    this.quizzes.splice(this.quizzes.indexOf(quiz), 1);
    this.#userQuizzes = this.#userQuizzes.filter((item) => item.quiz_id !== quizId);
    this.#quizGroups = this.#quizGroups.filter((item) => item.quiz_id !== quizId);
    return okAnswer;
  }

  groupsOfQuiz(quizId: string): ModelAnswer {
    if (!this.#quiz(quizId)) return notFound;
    const ids = this.#quizGroups.filter((item) => item.quiz_id === quizId).map((item) => item.group_id);
    return { status: 200, body: this.#groupsWith(ids) };
  }

  setQuizGroup(quizId: string, groupId: string, isAssigned: boolean): ModelAnswer {
    if (!this.#quiz(quizId) || !this.#hasGroup(groupId)) return notFound;
    this.#quizGroups = withItem(this.#quizGroups, { quiz_id: quizId, group_id: groupId }, isAssigned);
    return okAnswer;
  }

  listUsers(): ModelAnswer {
    return { status: 200, body: this.users.map((user) => this.#withAssignments(user)) };
  }

  getUser(userId: string): ModelAnswer {
    const user = this.#user(userId);
    if (!user) return notFound;
    const whole = this.#withAssignments(user);
    const notStarted = {
      response_id: null,
      date_submitted: null,
      points: 0,
      available_points: 0,
      percentage_score: 0,
      grade: '',
      pass: false,
      duration: 0,
      attempt: 0,
      status: 'not_started',
    };
    return { status: 200, body: { ...whole, quizzes: whole.quizzes.map((quiz) => ({ ...quiz, ...notStarted })) } };
  }

  findUser(form: Record<string, string>): ModelAnswer {
    if ((form['user_name'] ?? '').trim() === '') return unprocessable;
    const user = this.users.find((candidate) => isSameName(candidate.user_name, form['user_name']));
    return user ? { status: 200, body: { user_id: user.user_id } } : notFound;
  }

  createUser(form: Record<string, string>, newId: string): ModelAnswer {
    for (const name of ['user_name', 'password', 'user_type']) if (!form[name]?.trim()) return unprocessable;
    const user = blankUser(newId, this.#date());
    const answer = this.#change(user, form);
    if (answer !== okAnswer) return answer;
    this.users.push(user);
    return { status: 200, body: { user_id: newId } };
  }

  updateUser(userId: string, form: Record<string, string>): ModelAnswer {
    const user = this.#user(userId);
    return user ? this.#change(user, form) : notFound;
  }

  deleteUser(userId: string): ModelAnswer {
    const user = this.#user(userId);
    if (!user) return notFound;
    this.users.splice(this.users.indexOf(user), 1);
    this.#userQuizzes = this.#userQuizzes.filter((item) => item.user_id !== userId);
    this.#userGroups = this.#userGroups.filter((item) => item.user_id !== userId);
    return okAnswer;
  }

  quizzesOfUser(userId: string): ModelAnswer {
    const user = this.#user(userId);
    return user ? { status: 200, body: this.#withAssignments(user).quizzes } : notFound;
  }

  setUserQuiz(userId: string, quizId: string, isAssigned: boolean): ModelAnswer {
    if (!this.#user(userId) || !this.#quiz(quizId)) return notFound;
    const isSame = (item: { user_id: string; quiz_id: string }) => item.user_id === userId && item.quiz_id === quizId;
    if (!isAssigned) this.#userQuizzes = this.#userQuizzes.filter((item) => !isSame(item));
    else if (!this.#userQuizzes.some(isSame)) {
      this.#userQuizzes.push({ user_id: userId, quiz_id: quizId, date_assigned: this.#date() });
    }
    return okAnswer;
  }

  setUserGroup(userId: string, groupId: string, isMember: boolean): ModelAnswer {
    if (!this.#user(userId) || !this.#hasGroup(groupId)) return notFound;
    this.#userGroups = withItem(this.#userGroups, { user_id: userId, group_id: groupId }, isMember);
    return okAnswer;
  }

  #change(user: ModelUser, form: Record<string, string>): ModelAnswer {
    const flags = ['suspended', 'manage_users', 'manage_groups', 'edit_quizzes'] as const;
    if (!flags.every((flag) => isFlag(form[flag]))) return unprocessable;
    if (form['user_name']?.trim() === '') return unprocessable;
    if (form['password'] !== undefined && Array.from(form['password']).length < 6) return unprocessable;
    if (form['user_type'] !== undefined && !['respondent', 'trainer', 'administrator'].includes(form['user_type']))
      return unprocessable;
    if (form['email_address'] && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(form['email_address'])) return unprocessable;
    const hasName = (other: ModelUser) => other !== user && isSameName(other.user_name, form['user_name']);
    if (isSameName('taken@elsewhere.example', form['user_name']) || this.users.some(hasName)) return unprocessable;

    for (const field of ['user_name', 'user_type', 'email_address', 'first_name', 'last_name'] as const) {
      user[field] = form[field] ?? user[field];
    }
    for (const flag of flags) {
      if (form[flag] !== undefined) user[flag] = form[flag] === 'true';
      if (flag !== 'suspended' && user.user_type === 'respondent') user[flag] = false;
    }
    return okAnswer;
  }

  #withAssignments(user: ModelUser) {
    const quizzes = this.#userQuizzes
      .filter((item) => item.user_id === user.user_id)
      .map(({ quiz_id, date_assigned }) => ({ quiz_id, name: this.#quiz(quiz_id)?.name, date_assigned }));
    const groupIds = this.#userGroups.filter((item) => item.user_id === user.user_id).map((item) => item.group_id);
    return { ...user, quizzes, groups: this.#groupsWith(groupIds), trainerquizzes: [], trainergroups: [] };
  }

  #groupsWith(ids: string[]): (Group | undefined)[] {
    return ids.map((id) => this.#groups.find((group) => group.group_id === id));
  }

  #quiz(quizId: string): ModelQuiz | undefined {
    return this.quizzes.find((quiz) => quiz.quiz_id === quizId);
  }

  #user(userId: string): ModelUser | undefined {
    return this.users.find((user) => user.user_id === userId);
  }

  #hasGroup(groupId: string): boolean {
    return this.#groups.some((group) => group.group_id === groupId);
  }
}

function blankUser(userId: string, date: string): ModelUser {
  return {
    user_id: userId,
    user_name: '',
    user_type: '',
    email_address: '',
    first_name: '',
    last_name: '',
    organization: '',
    notes: '',
    time_zone: 'UTC',
    suspended: false,
    manage_users: false,
    manage_groups: false,
    edit_quizzes: false,
    date_created: date,
  };
}

function isFlag(value: string | undefined): boolean {
  return value === undefined || value === 'true' || value === 'false';
}

function isSameName(name: string, other: string | undefined): boolean {
  return other !== undefined && name.normalize('NFC').toLowerCase() === other.normalize('NFC').toLowerCase();
}

/** Adds an item to a list, unless it is there, or removes it. */
function withItem<Item extends object>(items: Item[], item: Item, isIn: boolean): Item[] {
  const isSame = (other: Item) => JSON.stringify(other) === JSON.stringify(item);
  if (!isIn) return items.filter((other) => !isSame(other));
  return items.some(isSame) ? items : [...items, item];
}
