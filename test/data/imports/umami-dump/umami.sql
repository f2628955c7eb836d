--
-- PostgreSQL database dump
--
-- Name: umami; Type: DATABASE

COPY public.session (session_id, browser, os, device, screen, language, country, city, created_at, website_id, region, distinct_id) FROM stdin;
df5e456a-7abd-5b7b-a6dc-ed57c4775369	edge-chromium	Windows 10	desktop	1920x1080	en-GB	GB	London	2025-10-08 01:54:16.502+00	26158eb8-e0ae-4985-aa91-2f4a652f8ccb	GB-ENG	\N
\.

COPY public."user" (user_id, username) FROM stdin;
41e2b680-648e-4b09-bcd7-3e2b10c06264	admin
\.

COPY public.website_event (event_id, website_id, session_id, created_at, url_path, url_query, referrer_path, referrer_query, referrer_domain, page_title, event_type, event_name, visit_id, tag, hostname) FROM stdin;
9b857702-bfe3-4135-989a-82afa920d5aa	26158eb8-e0ae-4985-aa91-2f4a652f8ccb	df5e456a-7abd-5b7b-a6dc-ed57c4775369	2025-10-08 01:54:16.502+00	/		\N	\N	\N	Tab\there \\ Home	1	\N	819500c8-876e-5b5d-9373-8e43b31e15d1	\N	example.org
\.

ALTER TABLE ONLY public.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (session_id);
