INSERT INTO judgement (head, tree_state, base, policy, made_at, exit_status, digest)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (digest) DO NOTHING RETURNING id;
