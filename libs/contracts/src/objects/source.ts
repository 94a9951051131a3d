/** How an entry or item found its session; `latest_open_session`: the one last active of several (D2). */
export const LINKED_BY = ['explicit', 'open_session', 'latest_open_session', 'none'] as const;
