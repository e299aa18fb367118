"""Apps of other people, let in by OAuth 2: code with PKCE for public clients, short tokens, and refresh tokens that change with every use.

django-oauth-toolkit speaks the protocol. Here is what it may do, who may be let in, and how that ends.
"""
