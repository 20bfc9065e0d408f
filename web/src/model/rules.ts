// What the rules of the lease say. docs/lease.md has them in full; those that are not here keep a
// group from waiting too long, and stand on the page by their names.
export const meanings: Record<string, string> = {
  "lease-shorter-than-promise":
    "A lease ends before the promises that it rests on, even if clocks run at different rates.",
  "quarantine-after-restart":
    "A member that restarts promises nothing new for as long as its last promise may hold.",
  "highest-on-disk": "A promise is on disk before it leaves.",
  "used-on-disk": "A candidate writes its ballot down before it asks.",
  "lease-from-answered-asks":
    "A lease counts from when an ask was sent that was answered, not from the answer.",
  "silence-for-a-paused-agent":
    "A guardian sends a death notice for a dead agent, never for a paused one.",
  "release-after-work-is-gone": "The lease is given back only when the command has ended.",
  "release-of-own-ballot-only": "A release ends the promise to its own ballot, and no other.",
  "nonce-in-ballots": "Ballots of two lives of one member differ.",
  "amnesiac-member-promises-nothing":
    "A member that lost its disk promises nothing before it has asked the others.",
  "memory-never-behind-disk": "What a member has in memory is not taken back when a write fails.",
  "silent-until-stored": "Nothing leaves that rests on a write which is not done.",
  "folder-synchronised": "What is reported as stored survives a crash of the machine.",
  "former-work-gone":
    "A restarted agent gives its lease back only when the command of its former life is gone.",
  "witnesses-abstain": "A witness votes, but takes no part in elections.",
  "outbid-candidate-rests": "A candidate that is refused twice lets its rival try.",
  "departed-not-followed": "Nobody follows a leader that has left, by hearsay.",
};

export const spelled = (rule: string) =>
  meanings[rule] ?? (rule[0].toUpperCase() + rule.slice(1)).replaceAll("-", " ") + ".";
