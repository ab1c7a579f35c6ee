# Trains a table on: concepts of the lexicon, question-memory pairs, WordNet 3.0 (Debian's wordnet-base), with a pull towards its old rows.
#   BASE=folder of meta.json, vocab.txt, table.i8, scales.f32  PAIRS=folder of pairs-*.jsonl  refit.py OUT STEPS [key=value ...]
# static-d128-v3: BASE=d128 of v2, refit.py v3 2500 wp=.1 ww=.2; OUT is the folder of the four files that ../pack.ts packs.
import collections,glob,json,os,re,sys,time
import numpy as np
from emb import *
import torch,torch.nn.functional as F,random,sys
import wn
torch.set_num_threads(1)
HERE=os.path.dirname(os.path.abspath(__file__))
STOP=set(re.search(r"`a about(.*?)`",open(os.path.join(HERE,'../../../src/language/words/words.ts')).read(),re.S).group(0).strip('`').split())
def table(p):
    m=json.load(open(p+'/meta.json')); Q=np.fromfile(p+'/table.i8',np.int8).reshape(-1,m['dim']).astype(np.float32); A=Q*np.fromfile(p+'/scales.f32','<f4')[:,None]
    w=open(p+'/vocab.txt').read().splitlines(); return Model(w,A[:m['vocab']],A[m['vocab']:])
def pairs():
    for f in sorted(glob.glob(os.environ['PAIRS']+'/pairs-*.jsonl')):
        for l in open(f):
            d=json.loads(l); yield f,d['q'],d['m']
def held(m):
    """a fifth of the memories stays out, by hash, as in the training of v2"""
    import hashlib
    k=' '.join(w.lower() for w in raw_words(m)); return int(hashlib.sha1(('7|'+k).encode()).hexdigest()[:8],16)%1000<200
OUT=sys.argv[1];STEPS=int(sys.argv[2]);OPT=dict(lr=2e-3,pull=.02,wc=.45,wp=.2,ww=.35,seed=1,cb=700,hard=0)
for a in sys.argv[3:]: k,v=a.split('='); OPT[k]=type(OPT[k])(v)
rng=np.random.default_rng(OPT['seed']); random.seed(OPT['seed']); R=random.random
M=table(os.environ['BASE']); words=list(M.words); DIM=M.E.shape[1]
LX=[l.rstrip('\n').split('|') for l in open(os.path.join(HERE,'../../lexicon/concepts.txt'),encoding='utf8')]
PT=[x for x in pairs() if not held(x[2])]
SYN,IX=wn.load()
# ---- new words
cnt=collections.Counter()
for c in LX:
    for p in c:
        for x in M.pieces(p):
            if isinstance(x,str): cnt[x]+=1
for _,q,m in PT:
    for x in M.pieces(q+' '+m):
        if isinstance(x,str): cnt[x]+=.5
new=[w for w,n in cnt.items() if n>=2 and len(w)>1 and not w.isdigit()]
print('new words',len(new),flush=True)
E=np.vstack([M.E,np.zeros((len(new),DIM),np.float32)])
old=Model(words,M.E,M.B); M2=Model(words+new,E,M.B)
def ids(t): return np.array([x for x in M2.pieces(t) if not isinstance(x,str)],np.int32)
acc=collections.defaultdict(list); nn=len(words)
for c in LX:
    L=[ids(p) for p in c]; al=np.concatenate(L) if L else []
    kn=[x for x in al if x<nn]
    for x in set(int(x) for x in al if x>=nn): 
        if kn: acc[x].append(E[kn].mean(0))
med=float(np.median(np.linalg.norm(M.E[10000:],axis=1)))
for i in range(nn,len(E)):
    v=np.mean(acc[i],0) if acc[i] else M.oov(M2.words[i]); E[i]=v/(np.linalg.norm(v)+1e-9)*med
W0=torch.from_numpy(E.copy()); N=len(E)
nrm=np.linalg.norm(E,axis=1); 
EN=E/(nrm[:,None]+1e-9)
STOPI=np.zeros(N,bool)
for w in STOP:
    if w in M2.V: STOPI[M2.V[w]]=True
# ---- concepts
CT=[[x for x in (ids(p) for p in c) if len(x)] for c in LX]; CT=[c for c in CT if len(c)>1]
PH=collections.defaultdict(set)
for i,c in enumerate(CT):
    for x in c: PH[x.tobytes()].add(i)
ADJ=[set() for _ in CT]
for s in PH.values():
    for i in s: ADJ[i]|=s
ADJ=[np.array(sorted(a),np.int64) for a in ADJ]
POS=np.full(len(CT),-1,np.int64)
QW=[ids(x) for x in ['what','what did','what does','who','who is','where','where did','how','why did','which','what is','how did','did','does','what kind of','is','do we','how do we','how do i','what are','how many','when did','when is']]
ri=lambda a,b:a+int(R()*(b-a))
def drop(q,d,pr):
    if R()<pr:
        k=~np.isin(d,q)
        if k.any(): return d[k]
    return d
def gen_conc(B):
    I=rng.permutation(len(CT))[:B]; out=[]
    for i in I:
        w=CT[i]; o=rng.permutation(len(w)); nq=1 if R()<.6 else min(len(w)-1,2); nd=1 if R()<.7 else ri(2,4)
        q=np.concatenate([w[j] for j in o[:nq]]); d=np.concatenate([w[j] for j in o[nq:nq+nd]]); d=drop(q,d,.6)
        if R()<.2: q=np.r_[QW[ri(0,len(QW))],q]
        out.append((q,d))
    m=np.zeros((len(I),len(I)),bool); POS[I]=np.arange(len(I))
    for n,i in enumerate(I):
        p=POS[ADJ[i]]; m[n,p[p>=0]]=True
    POS[I]=-1; m|=m.T; m[np.arange(len(I)),np.arange(len(I))]=False
    return out,m
# composed: two or three concepts make a 'sentence'; the query says them in sibling phrases (and sees the neighbours' noise)
CW=[c for c in CT]
def gen_comp(B):
    out=[];key=[]
    for _ in range(B):
        k=ri(2,4); I=[ri(0,len(CT)) for _ in range(k)]; q=[];d=[]
        for i in I:
            w=CT[i]; a,b=rng.choice(len(w),2,replace=False); q.append(w[a]); d.append(w[b])
        if R()<.5: d.insert(ri(0,len(d)+1),NOISE[ri(0,len(NOISE))])
        if R()<.3: q.insert(0,QW[ri(0,len(QW))])
        q=np.concatenate(q); d=drop(q,np.concatenate(d),.7); out.append((q,d))
    return out,None
PP=[(ids(q),ids(m)) for f,q,m in PT]; PP=[x for x in PP if len(x[0]) and len(x[1])]
PF=collections.defaultdict(list)
for (f,q,m),x in zip(PT,[(ids(q),ids(m)) for f,q,m in PT]):
    if len(x[0]) and len(x[1]): PF[f].append(x)
NOISE=[m[s:s+ri(2,7)] for q,m in PP for s in [ri(0,max(1,len(m)-4))]]; NOISE=[x for x in NOISE if len(x)]
REPL={b:[x for x in CT[next(iter(s))] if x.tobytes()!=b] for b,s in PH.items() if len(s)==1}
def sib(x,pr):
    if R()>pr or len(x)<2: return x
    for _ in range(4):
        n=min(len(x),ri(1,4)); s=ri(0,len(x)-n+1); b=np.ascontiguousarray(x[s:s+n]).tobytes(); L=REPL.get(b)
        if not L or (n==1 and x[s]<400): continue
        return np.concatenate((x[:s],L[ri(0,len(L))],x[s+n:]))
    return x
def gen_pairs(B):
    L=PF[random.choice(list(PF))] if R()<.75 else PP
    out=[]
    for i in rng.choice(len(L),min(B,len(L)),replace=False):
        q,d=L[i]; q=sib(q,.5); d=sib(d,.5); out.append((q,drop(q,d,.6)))
    return out,None
# ---- wordnet
def cosw(a,b):
    x=E[a].sum(0);y=E[b].sum(0); return float(x@y/(np.linalg.norm(x)*np.linalg.norm(y)+1e-9))
WL=[]
rank_={}
for l,s in IX.items():
    for p,o,r,tag in s: rank_[(l.lower(),p,o)]=r
for (p,o),s in SYN.items():
    ls=[w for w in s['w'] if rank_.get((w.lower(),p,o),9)<3]
    if not ls: continue
    t=[ids(w) for w in ls]; t=[(w,x) for w,x in zip(ls,t) if len(x) and len(w.split())==len(x)]
    if not t: continue
    g=s['gloss'].split('"')[0].strip(' ;'); gi=ids(g)
    for w,x in t:
        if len(gi)>2 and x.max()<nn: WL.append((x,gi[~STOPI[gi]] if (~STOPI[gi]).any() else gi,'g'))
    for i in range(len(t)):
        for j in range(len(t)):
            if i!=j and cosw(t[i][1],t[j][1])>.2: WL.append((t[i][1],t[j][1],'s'))
    for h in s['hyp']:
        for w in SYN[h]['w'][:2]:
            y=ids(w)
            if len(y) and len(w.split())==len(y) and rank_.get((w.lower(),)+h,9)<2:
                for _,x in t[:2]:
                    if cosw(x,y)>.25: WL.append((x,y,'h'))
KW=collections.defaultdict(list)
for x in WL: KW[x[2]].append(x[:2])
print('concepts',len(CT),'pairs',len(PP),'wordnet',{k:len(v) for k,v in KW.items()},flush=True)
def gen_wn(B):
    out=[]
    for k,f in (('g',.45),('s',.35),('h',.2)): out+=[KW[k][i] for i in rng.integers(len(KW[k]),size=int(B*f))]
    return out,None
emb=torch.nn.EmbeddingBag(N,DIM,mode='sum',sparse=True); emb.weight.data.copy_(W0)
opt=torch.optim.SparseAdam(emb.parameters(),lr=OPT['lr'])
def bag(L,dr):
    L=[x if len(x)<4 or dr==0 else x[rng.random(len(x))>dr] for x in L]; L=[x if len(x) else np.zeros(1,np.int32) for x in L]
    off=np.r_[0,np.cumsum([len(x) for x in L])[:-1]]
    return torch.from_numpy(np.concatenate(L).astype(np.int64)),torch.from_numpy(off)
SRC=[('conc',OPT['wc']*.6,lambda:gen_conc(OPT['cb'])),('comp',OPT['wc']*.4,lambda:gen_comp(512)),('pairs',OPT['wp'],lambda:gen_pairs(384)),('wn',OPT['ww'],lambda:gen_wn(700))]
pr=np.array([x[1] for x in SRC]); pr/=pr.sum()
run={};t0=time.time();last=t0;tg=0
for step in range(STEPS):
    lr=OPT['lr']*min(1,(step+1)/50)*max(.03,1-step/STEPS)
    for g in opt.param_groups: g['lr']=lr
    nm,_,f=SRC[rng.choice(len(SRC),p=pr)]; tt=time.time();L,xm=f();tg+=time.time()-tt
    qi,qo=bag([x[0] for x in L],.05);di,do=bag([x[1] for x in L],.1)
    hq=np.array([hash(x[0].tobytes()) for x in L]);hd=np.array([hash(x[1].tobytes()) for x in L])
    m=(hq[:,None]==hq[None])|(hd[:,None]==hd[None])
    if xm is not None: m|=xm
    np.fill_diagonal(m,False); m=torch.from_numpy(m)
    q=F.normalize(emb(qi,qo),dim=1);d=F.normalize(emb(di,do),dim=1);T=.07 if nm!='pairs' else .05
    s=(q@d.T/T).masked_fill(m,-1e4); y=torch.arange(len(q)); ce=.5*(F.cross_entropy(s,y)+F.cross_entropy(s.T,y))
    rows=torch.unique(torch.cat([qi,di])); df=F.embedding(rows,emb.weight,sparse=True)-W0[rows]
    loss=ce+OPT['pull']*(df**2).sum()/(W0[rows]**2).sum()*len(rows)**.5
    opt.zero_grad();loss.backward();opt.step(); run.setdefault(nm,[]).append(ce.item())
    if time.time()-last>30: last=time.time();print(f'{last-t0:.0f}s {step} gen {tg:.0f}',{k:round(float(np.mean(v[-20:])),3) for k,v in run.items()},flush=True)
W=emb.weight.detach().numpy(); A=np.vstack([W,M.B]); sc=np.abs(A).max(1)/127; sc[sc==0]=1; Q=np.clip(np.rint(A/sc[:,None]),-127,127).astype(np.int8)
os.makedirs(OUT,exist_ok=True); Q.tofile(OUT+'/table.i8'); sc.astype('<f4').tofile(OUT+'/scales.f32'); open(OUT+'/vocab.txt','w').write('\n'.join(M2.words)+'\n')
meta=json.load(open(os.environ['BASE']+'/meta.json')); meta.update(vocab=len(M2.words)); json.dump(meta,open(OUT+'/meta.json','w'),indent=1)
print('seconds',time.time()-t0,'moved',float(np.linalg.norm(W-E,axis=1).mean()/np.linalg.norm(E,axis=1).mean()))
