SELECT count(*) FROM judgement;
