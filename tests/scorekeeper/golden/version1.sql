-- A database as version 1 of the store wrote it.
CREATE TABLE event (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;
INSERT INTO "event" VALUES('yamsyamsy2',1,'2026-11-30T00:28:38.768+00:00','started','{"game":"yams","options":{"joker":"seeds","prime":"yes","five_alike_full_house":"no"},"players":["Ana","Bo"],"first":1,"throws":[[[1,2,3,4,5],[6,6,6,6,5]]]}');
INSERT INTO "event" VALUES('yamsyamsy2',2,'2026-11-30T00:28:38.771+00:00','rolled','{"dice":[2,4,4,1,6],"kept":[],"source":"typed"}');
INSERT INTO "event" VALUES('yamsyamsy2',3,'2026-11-30T00:28:38.776+00:00','rolled','{"dice":[4,4,5,5,4],"kept":[4,4],"source":"photo","inks":["red","red","red","red","red"],"confidence":0.5}');
INSERT INTO "event" VALUES('yamsyamsy2',4,'2026-11-30T00:28:38.779+00:00','scored','{"box":"full_house"}');
INSERT INTO "event" VALUES('yamsyamsy2',5,'2026-11-30T00:28:38.782+00:00','rolled','{"dice":[1,1,2,3,6],"kept":[],"source":"typed","number":3}');
INSERT INTO "event" VALUES('yamsyamsy2',6,'2026-11-30T00:28:38.784+00:00','scored','{"box":"chance","scratch":true}');
INSERT INTO "event" VALUES('yamsyamsy2',7,'2026-11-30T00:28:38.788+00:00','undone','{"to_seq":5}');
INSERT INTO "event" VALUES('yamsyamsy2',8,'2026-11-30T00:28:38.793+00:00','scored','{"box":"ones"}');
INSERT INTO "event" VALUES('yamsyamsy2',9,'2026-11-30T00:28:38.797+00:00','rolled','{"dice":[3,3,3,3,3],"kept":[],"source":"typed"}');
INSERT INTO "event" VALUES('yamslamyy2',1,'2026-11-30T00:28:38.801+00:00','started','{"game":"yamslam","options":{"four_alike_two_pairs":"yes","mode":"table","games":"1"},"players":["Cy","名無し"],"first":0,"throws":[]}');
INSERT INTO "event" VALUES('yamslamyy2',2,'2026-11-30T00:28:38.804+00:00','rolled','{"dice":[2,2,4,4,6],"kept":[],"source":"typed"}');
INSERT INTO "event" VALUES('yamslamyy2',3,'2026-11-30T00:28:38.807+00:00','scored','{"box":"flush"}');
INSERT INTO "event" VALUES('yamslamyy2',5,'2026-11-30T00:28:38.820+00:00','passed','{}');
INSERT INTO "event" VALUES('yamslamyy2',6,'2026-11-30T00:28:38.844+00:00','rolled','{"dice":[6,6,6,6,6],"kept":[],"source":"typed"}');
CREATE TABLE lost (
        session TEXT NOT NULL,
        seq INTEGER NOT NULL,
        why TEXT NOT NULL,
        PRIMARY KEY (session, seq)
    ) WITHOUT ROWID;
INSERT INTO "lost" VALUES('yamslamyy2',4,'Entry 4 of the record is damaged, so it and what follows was cut: The entry is missing.');
INSERT INTO "lost" VALUES('yamslamyy2',5,'Entry 4 of the record is damaged, so it and what follows was cut: The entry is missing.');
PRAGMA application_id = 1684628325;
PRAGMA user_version = 1;
