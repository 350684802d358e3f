/** Exit codes; the first that applies is taken, in this order. */
export const EXIT = {
  interrupted: 130,
  ourFault: 70,
  usage: 2,
  unreachable: 3,
  unauthorized: 4,
  findings: 1,
  fine: 0,
} as const;
